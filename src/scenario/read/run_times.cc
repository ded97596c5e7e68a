#include "scenario/read/run_times.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom {

namespace {

constexpr Time kDefaultDuration = Milliseconds(10);

Time LastOf(const BlockTrace& trace) {
  Time last;
  for (const BlockTrace::Disk& disk : trace.disks)
    if (!disk.ios.empty()) last = std::max(last, disk.ios.back().at);
  return last;
}

/// The last time at which a workload is known to offer a message; none where it goes on by itself.
std::optional<Time> LastArrival(const WorkloadParameters& workload) {
  if (const auto* incast = std::get_if<IncastArrivals>(&workload.arrivals)) {
    const int64_t more = incast->count - 1;
    const bool ends = more == 0 || incast->every.v <= (kLongestTime - incast->at).v / more;
    return ends ? std::optional(incast->at + incast->every * more) : std::nullopt;
  }
  if (const auto* permutation = std::get_if<PermutationArrivals>(&workload.arrivals)) return permutation->at;
  if (const auto* list = std::get_if<ListArrivals>(&workload.arrivals))
    return list->messages.empty() ? Time(0) : list->messages.back().at;
  if (const auto* io = std::get_if<IoArrivals>(&workload.arrivals)) {
    if (io->trace) return io->stop ? std::min(LastOf(*io->trace), *io->stop) : LastOf(*io->trace);
    if (io->job && io->stop) return *io->stop - Time(1);
  }
  return std::nullopt;
}

/// What must lie before the end of the arrivals.
Time NeededArrival(const WorkloadParameters& workload) {
  if (const auto* incast = std::get_if<IncastArrivals>(&workload.arrivals)) return incast->at;
  if (const auto* permutation = std::get_if<PermutationArrivals>(&workload.arrivals)) return permutation->at;
  if (const auto* stream = std::get_if<StreamArrivals>(&workload.arrivals)) return stream->start;
  if (const auto* posting = std::get_if<PostingArrivals>(&workload.arrivals)) return posting->start;
  if (const auto* io = std::get_if<IoArrivals>(&workload.arrivals)) return io->start;
  if (const auto* keys = std::get_if<KeyValueArrivals>(&workload.arrivals)) return keys->start;
  if (const auto* transfers = std::get_if<TransferArrivals>(&workload.arrivals)) return transfers->start;
  if (const auto* list = std::get_if<ListArrivals>(&workload.arrivals))
    return list->messages.empty()    ? Time(0)
           : workload.type == "list" ? list->messages.back().at  // none of those written out is left out
                                     : list->messages.front().at;
  return Time(0);
}

void FillDuration(MapReader& map, Scenario& scenario) {
  scenario.duration = kDefaultDuration;
  for (const WorkloadParameters& workload : scenario.workloads) {
    const auto last = LastArrival(workload);
    if (!last)
      throw ScenarioError(map.node().where, "the key \"duration\" is missing",
                          fmt::format("workload \"{}\" goes on until then", workload.name));
    scenario.duration = std::max(scenario.duration, *last + Time(1));
  }
}

/// A ramp leaves something that counts.
void CheckRamp(const Node& node, const WorkloadParameters& workload, Time duration, Errors& errors) {
  const auto* io = std::get_if<IoArrivals>(&workload.arrivals);
  const Node* ramp = node.Find("ramp");
  if (io == nullptr || ramp == nullptr) return;
  const Time end = std::min(io->stop.value_or(duration), duration);
  if (io->start + io->ramp < end) return;
  errors.Add(
      ScenarioError(ramp->where, fmt::format("ramp {} leaves nothing of workload \"{}\", which ends at {}",
                                             FormatTime(io->ramp), workload.name, FormatTime(end))));
}

}  // namespace

void CheckTimes(MapReader& map, Scenario& s, const std::vector<size_t>& entries) {
  Errors& errors = map.errors();
  if (!map.Find("duration") && !errors.Guard([&] { FillDuration(map, s); })) return;
  if (!map.Find("deadline")) s.deadline = s.duration * 10;
  if (s.deadline < s.duration)
    errors.Add(ScenarioError(
        map.Find("deadline")->where,
        fmt::format("deadline {} is before duration {}", FormatTime(s.deadline), FormatTime(s.duration))));
  if (s.warmup >= s.duration && s.warmup.v > 0)
    errors.Add(
        ScenarioError(map.Find("warmup")->where, fmt::format("warmup {} leaves nothing of duration {}",
                                                             FormatTime(s.warmup), FormatTime(s.duration))));
  const Node* list = map.Find("workloads");
  for (size_t i = 0; list && i < s.workloads.size(); ++i) {
    const Node& entry = list->items[entries[i]];
    const Time needed = NeededArrival(s.workloads[i]);
    if (needed < s.duration) {
      CheckRamp(entry, s.workloads[i], s.duration, errors);
      continue;
    }
    errors.Add(ScenarioError(
        entry.where,
        fmt::format("workload \"{}\" has an arrival at {}, when arrivals have stopped (duration {})",
                    s.workloads[i].name, FormatTime(needed), FormatTime(s.duration))));
  }
}

}  // namespace headroom

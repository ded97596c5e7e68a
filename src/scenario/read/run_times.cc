#include "scenario/read/run_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "workload/io_arrivals.h"

namespace headroom {

namespace {

constexpr Time kDefaultDuration = Milliseconds(10);

void FillDuration(MapReader& map, Scenario& scenario) {
  scenario.duration = kDefaultDuration;
  for (const WorkloadParameters& workload : scenario.workloads) {
    const std::optional<Time> last = workload.arrivals->LastArrival();
    if (!last)
      throw ScenarioError(
          map.node().where, "the key \"duration\" is missing",
          fmt::format("give it, because workload \"{}\" continues until duration", workload.name));
    scenario.duration = std::max(scenario.duration, *last + Time(1));
  }
}

/// Checks that a ramp leaves operations that count.
void CheckRamp(const Node& node, const WorkloadParameters& workload, Time duration, Errors& errors) {
  const auto* const io = workload.arrivals.Find<IoArrivals>();
  const Node* ramp = node.Find("ramp");
  if (io == nullptr || ramp == nullptr) return;
  const Time end = std::min(io->stop.value_or(duration), duration);
  if (io->start + io->ramp < end) return;
  errors.Add(
      ScenarioError(ramp->where, fmt::format("ramp {} leaves no time of workload \"{}\", which ends at {}",
                                             FormatTime(io->ramp), workload.name, FormatTime(end))));
}

}  // namespace

void CheckTimes(MapReader& map, Scenario& s, const std::vector<size_t>& entries) {
  Errors& errors = map.errors();
  if (!map.Find("duration") && !errors.Guard([&] { FillDuration(map, s); })) return;
  if (!map.Find("deadline")) s.deadline = s.duration * 10;
  if (s.deadline < s.duration)
    errors.Add(ScenarioError(map.Find("deadline")->where,
                             fmt::format("deadline {} is earlier than duration {}", FormatTime(s.deadline),
                                         FormatTime(s.duration))));
  if (s.warmup >= s.duration && s.warmup.v > 0)
    errors.Add(
        ScenarioError(map.Find("warmup")->where, fmt::format("warmup {} leaves no time of duration {}",
                                                             FormatTime(s.warmup), FormatTime(s.duration))));
  const Node* list = map.Find("workloads");
  for (size_t i = 0; list && i < s.workloads.size(); ++i) {
    const Node& entry = list->items[entries[i]];
    const Time needed = s.workloads[i].arrivals->NeededArrival();
    if (needed < s.duration) {
      CheckRamp(entry, s.workloads[i], s.duration, errors);
      continue;
    }
    errors.Add(ScenarioError(
        entry.where, fmt::format("workload \"{}\" has an arrival at {}, but arrivals stop at duration {}",
                                 s.workloads[i].name, FormatTime(needed), FormatTime(s.duration))));
  }
}

}  // namespace headroom

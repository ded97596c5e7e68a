#include "scenario/read_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace headroom {

namespace {

constexpr int64_t kLeastMtu = 256, kMostMtu = 9000;
constexpr Time kDefaultDuration = Milliseconds(10);

void ReadFrames(const Node& node, FrameFormat& frames, Errors& errors) {
  if (node.IsScalar()) {
    ParseChoice(node, {"rocev2", "hpcc"});
    if (node.text == "hpcc") frames = HpccFrames();
    return;
  }
  MapReader map(node, errors);
  const auto field = [&](const char* key, int64_t& out, Bytes least) {
    Bytes size(out);
    if (map.Field(key, size, least, Kibibytes(64))) out = size.v;
  };
  field("header", frames.header, Bytes(0));
  field("reth", frames.reth, Bytes(0));
  field("aeth", frames.aeth, Bytes(0));
  field("immdt", frames.immdt, Bytes(0));
  field("ieth", frames.ieth, Bytes(0));
  field("ack", frames.ack, Bytes(1));
  field("cnp", frames.cnp, Bytes(1));
  field("pfc", frames.pfc, Bytes(1));
  field("gap", frames.gap, Bytes(0));
  field("min", frames.min, Bytes(0));
  map.Finish();
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
  return std::nullopt;
}

/// What must lie before the end of the arrivals.
Time NeededArrival(const WorkloadParameters& workload) {
  if (const auto* incast = std::get_if<IncastArrivals>(&workload.arrivals)) return incast->at;
  if (const auto* permutation = std::get_if<PermutationArrivals>(&workload.arrivals)) return permutation->at;
  if (const auto* stream = std::get_if<StreamArrivals>(&workload.arrivals)) return stream->start;
  if (const auto* posting = std::get_if<PostingArrivals>(&workload.arrivals)) return posting->start;
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

}  // namespace

FrameFormat HpccFrames() {
  return {.header = 48,
          .reth = 0,
          .aeth = 0,
          .immdt = 0,
          .ieth = 0,
          .ack = 60,
          .cnp = 60,
          .pfc = 43,
          .gap = 0,
          .min = 0};
}

void ReadRun(MapReader& map, Scenario& s) {
  s.name = std::filesystem::path(s.file).stem().string();
  const auto& errors_at = map.node().where;
  if (!map.Read("name", [&](const Node& node) { s.name = ParseName(node); }))
    map.errors().Guard([&] { CheckName(s.name, errors_at); });
  map.Integer("seed", s.seed, 1, kLargestSeed);
  map.Field("duration", s.duration, Time(1));
  map.Field("deadline", s.deadline, Time(1));
  map.Field("warmup", s.warmup);
  map.Read("mtu", [&](const Node& node) {
    const bool unit = node.IsScalar() && node.text.find_first_not_of("0123456789") != std::string::npos;
    s.mtu = unit ? ParseSize(node).v : ParseInteger(node, kLeastMtu, kMostMtu);
    if (s.mtu < kLeastMtu || s.mtu > kMostMtu)
      throw ScenarioError(node.where, Quote(node.text) + " is out of range", "allowed: 256 to 9000");
  });
  map.Read("frames", [&](const Node& node) { ReadFrames(node, s.frames, map.errors()); });
}

void CheckTimes(MapReader& map, Scenario& s) {
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
  for (size_t i = 0; list && i < s.workloads.size() && i < list->items.size(); ++i) {
    const Time needed = NeededArrival(s.workloads[i]);
    if (needed < s.duration) continue;
    errors.Add(ScenarioError(
        list->items[i].where,
        fmt::format("workload \"{}\" has an arrival at {}, when arrivals have stopped (duration {})",
                    s.workloads[i].name, FormatTime(needed), FormatTime(s.duration))));
  }
}

}  // namespace headroom

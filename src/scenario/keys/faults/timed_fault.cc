#include "scenario/keys/faults/timed_fault.h"

namespace headroom::keys {

const KeysOf<FaultTimes>& FaultRepeatKeys() {
  static const KeysOf<FaultTimes> keys({.name = "fault_repeat", .page = kFaultPage},
                                       {{"every",
                                         &FaultTimes::every,
                                         Times(Nanoseconds(1)),
                                         "time from one start to the next",
                                         {.required = true}},
                                        {"count",
                                         &FaultTimes::count,
                                         Integers(1, 1'000'000'000),
                                         "total number of occurrences",
                                         {.required = true}}});
  return keys;
}

void CheckFaultTimes(const Node& node, const FaultTimes& times, Errors& errors) {
  const Node *stop = node.Find("stop"), *repeat = node.Find("repeat");
  if (stop && !stop->IsNull() && times.stop <= times.start)
    errors.Add(ScenarioError(stop->where, fmt::format("stop {} is not after start {}", FormatTime(times.stop),
                                                      FormatTime(times.start))));
  if (!repeat) return;
  if (!stop) throw ScenarioError(repeat->where, "a fault without a stop cannot repeat");
  if (times.count > 1 && times.every < times.stop - times.start)
    throw ScenarioError(repeat->where,
                        fmt::format("the fault repeats every {}, but lasts {}", FormatTime(times.every),
                                    FormatTime(times.stop - times.start)));
}

}  // namespace headroom::keys

#include "scenario/keys/services/failover_keys.h"

#include <fmt/format.h>

namespace headroom::keys {

namespace {

constexpr const char* kFailoverPage = "models/failover.md";

using Step = FailoverParameters::Step;

const KeysOf<Step>& StepKeys() {
  static const KeysOf<Step> keys({.name = "failover_step", .page = kFailoverPage, .cost = Cost::fixed},
                                 {{"at", &Step::at, Times(), "start of the step", {.required = true}},
                                  {"share",
                                   &Step::share,
                                   Fractions(1, true),
                                   "share of the connections on the standby",
                                   {.required = true}}});
  return keys;
}

KindOf<std::vector<Step>> Schedule() {
  KindOf<std::vector<Step>> kind = ListOf(Mapping(StepKeys()));
  kind.read = [read = kind.read](const Node& node, std::vector<Step>& steps, Reading& reading) {
    read(node, steps, reading);
    for (size_t i = 1; i < steps.size(); ++i) {
      if (steps[i].at > steps[i - 1].at) continue;
      throw ScenarioError(node.items[i].where,
                          fmt::format("at {} is not after the previous step, at {}", FormatTime(steps[i].at),
                                      FormatTime(steps[i - 1].at)));
    }
  };
  kind.write = [write = kind.write](const std::vector<Step>& steps, const Writing& writing) {
    return steps.empty() ? "" : write(steps, writing);
  };
  return kind;
}

}  // namespace

KindOf<StorageFailover> FailoverTo(const KindOf<StorageLeg>& leg) {
  using F = StorageFailover;
  using When = FailoverParameters;
  const auto most = Seconds(100);
  static const KeysOf<F> keys(
      {.name = "failover", .page = kFailoverPage},
      {{"to", &F::to, leg, "standby leg, with another protocol", {.required = true}},
       {"every", &F::when, &When::every, Times(Microseconds(1), most), "period of moves"},
       {"fraction", &F::when, &When::fraction, Fractions(),
        "maximum share of all front and back connections that move in a period; at least one connection "
        "may move"},
       {"detect", &F::when, &When::detect, OrWord("never", kNever, Times(Microseconds(1), most)),
        "time without an answer to a call on the main leg after which the connection counts as broken"},
       {"back", &F::when, &When::back, Times(Time(0), most),
        "time that a broken connection's queue pair must be up before the connection returns"},
       {"schedule",
        &F::when,
        &When::schedule,
        Schedule(),
        "planned share of connections on the standby, in addition to broken connections",
        {.standard = "nothing"}}});
  return Mapping(keys);
}

}  // namespace headroom::keys

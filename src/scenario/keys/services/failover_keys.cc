#include "scenario/keys/services/failover_keys.h"

#include <fmt/format.h>

namespace headroom::keys {

namespace {

constexpr const char* kFailoverPage = "models/failover.md";

using Step = FailoverParameters::Step;

const KeysOf<Step>& StepKeys() {
  static const KeysOf<Step> keys({.name = "failover_step", .page = kFailoverPage},
                                 {{"at", &Step::at, Times(), "from then on", {.required = true}},
                                  {"share",
                                   &Step::share,
                                   Fractions(1, true),
                                   "of the connections is to be on what stands by",
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
                          fmt::format("at {} is not after {}, that of the step before it",
                                      FormatTime(steps[i].at), FormatTime(steps[i - 1].at)));
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
      {{"to", &F::to, leg, "what stands by, as a leg of another protocol", {.required = true}},
       {"every", &F::when, &When::every, Times(Microseconds(1), most), "a period"},
       {"fraction", &F::when, &When::fraction, Fractions(),
        "of the connections, front and back together, that move in a period at most; one at least"},
       {"detect", &F::when, &When::detect, OrWord("never", kNever, Times(Microseconds(1), most)),
        "a call that waits longer for the main leg says that its connection is broken"},
       {"back", &F::when, &When::back, Times(Time(0), most),
        "so long the queue pair of a broken connection is up before it comes back"},
       {"schedule",
        &F::when,
        &When::schedule,
        Schedule(),
        "what is on the standby whether it is broken or not",
        {.standard = "nothing"}}});
  return Mapping(keys);
}

}  // namespace headroom::keys

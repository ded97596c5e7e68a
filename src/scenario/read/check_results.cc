#include "scenario/read/check_results.h"

#include <fmt/format.h>

namespace headroom {

void CheckResults(const Node& root, Scenario& scenario, Errors& errors) {
  if (scenario.results != Results::stream) return;
  const Node* const observe = root.Find("observe");
  const auto refuse = [&](const char* key, const char* holds) {
    const Node* const node = observe == nullptr ? nullptr : observe->Find(key);
    if (node == nullptr) return;
    errors.Guard([&] {
      throw ScenarioError(
          node->where,
          fmt::format("observe.{} keeps {} in memory, which `results: stream` does not do yet", key, holds),
          fmt::format("remove {}, or give results: memory", key));
    });
  };
  const Observations& o = scenario.observe;
  if (o.queues) refuse("queues", "every sample");
  if (o.groups) refuse("groups", "every sample");
  if (o.rates) refuse("rates", "every sample");
  if (o.goodput) refuse("goodput", "every sample");
  if (o.estats) refuse("estats", "a histogram of every interval");
  if (o.cnps) refuse("cnps", "every notification");
  if (o.drops) refuse("drops", "every drop");
  if (o.causes) refuse("causes", "every pause");
  scenario.observe.causes = false;
}

}  // namespace headroom

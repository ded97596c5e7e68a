// The max-min shares that scenarios/papers/congestion-leaking.yaml names with its expectations.
#include <gtest/gtest.h>

#include <map>

#include "analysis/bounds/flows.h"
#include "analysis/bounds/max_min.h"
#include "scenario/read/load.h"

namespace headroom::max_min_of_congestion_leaking_test {
namespace {

TEST(CongestionLeaking, SharesByWaterFillingAreThoseOfTheScenario) {
  // Five flows share the link to c: 40 / 5 = 8. The other two flows share the rest of a's link: (40 − 8) / 2
  // = 16.
  const Scenario s =
      LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/scenarios/papers/congestion-leaking.yaml", {});
  const Fabric fabric(s);
  std::vector<double> capacity;
  for (const TopologyLink& link : s.topology.links)
    capacity.insert(capacity.end(), 2, static_cast<double>(link.spec.rate.v) / 1e9);
  std::vector<MaxMinFlow> flows;
  std::vector<std::string> names;
  for (const WorkloadParameters& workload : s.workloads) {
    for (const Flow& flow : FlowsOf(workload, fabric, 100)) {
      names.push_back(workload.name);
      flows.emplace_back();
      for (const PathHop& hop : fabric.paths().Of(flow.from, flow.to, flow.source_port))
        flows.back().links.push_back(fabric.Direction(hop));
    }
  }
  const std::vector<double> rates = MaxMinRates(capacity, flows);
  const std::map<std::string, double> expected = {
      {"a-to-b", 16}, {"a-to-c", 8}, {"a-to-d", 16}, {"others", 8}};
  ASSERT_EQ(rates.size(), 7u);
  for (size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], expected.at(names[i]), 1e-9) << names[i];
}

}  // namespace
}  // namespace headroom::max_min_of_congestion_leaking_test

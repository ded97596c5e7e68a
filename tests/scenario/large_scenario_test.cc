// The largest shipped scenario is not run in tests. It must load, and fit the memory that it states.
#include <gtest/gtest.h>

#include <set>

#include "protocol/storage/storage_parameters.h"
#include "scenario/memory/memory.h"
#include "scenario/read/load.h"
#include "scenario/scenario.h"

namespace headroom::large_scenario_test {
namespace {

TEST(LargeScenario, HasTenThousandHostsInFiveDatacentersThatFitFourGigabytes) {
  const Scenario s = LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/scenarios/large.yaml");
  EXPECT_EQ(s.topology.hosts, 10'240u);
  std::set<int> datacenters;
  std::set<NodeId> with_role;
  for (NodeId host = 0; host < s.topology.hosts; ++host)
    datacenters.insert(s.topology.nodes[host].place.datacenter);
  EXPECT_EQ(datacenters.size(), 5u);
  for (const AnyService& service : s.services) {
    const std::vector<NodeId> hosts = service->Hosts();
    with_role.insert(hosts.begin(), hosts.end());
  }
  EXPECT_EQ(with_role.size(), s.topology.hosts);
  EXPECT_LT(EstimateMemory(s).expected, 4e9);
}

}  // namespace
}  // namespace headroom::large_scenario_test

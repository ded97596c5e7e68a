// What check expects of hosts with two ports: their rates, their racks, and the traffic on their links.
#include <gtest/gtest.h>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/traffic_shares.h"
#include "support/scenarios.h"
#include "workload/types/poisson.h"

namespace headroom::traffic_shares_test {
namespace {

constexpr LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};

Scenario Racks(Attach kind) { return ScenarioOf(BuildLeafSpine(4, 2, 4, kLink, kLink, 1, {1, kind, 2})); }

TEST(TwoPorts, a_host_has_the_rate_of_both_and_a_queue_pair_that_of_one) {
  const Scenario s = Racks(Attach::dual_tor);
  const Fabric fabric(s);
  EXPECT_EQ(fabric.LineRate(0), GigabitsPerSecond(100));
  EXPECT_EQ(fabric.Capacity(0), GigabitsPerSecond(200));
  EXPECT_EQ(fabric.hosts().line_rates[7], GigabitsPerSecond(200));
}

TEST(TwoPorts, the_hosts_of_two_leaves_are_a_rack) {
  for (const auto kind : {Attach::dual_tor, Attach::planes}) {
    const Scenario s = Racks(kind);
    const Fabric fabric(s);
    ASSERT_EQ(fabric.racks().size(), 2u);
    EXPECT_EQ(fabric.racks()[1].size(), 2u);
    EXPECT_EQ(fabric.RackOf(3), 0u);
    EXPECT_EQ(fabric.RackOf(4), 1u);
  }
}

TEST(TwoPorts, each_link_of_a_host_carries_half_its_traffic) {
  for (const auto kind : {Attach::one_leaf, Attach::dual_tor, Attach::planes}) {
    const Scenario s = Racks(kind);
    const Fabric fabric(s);
    PoissonArrivals a;
    a.from = a.to = Hosts(0, 8);
    a.load = 0.5;
    a.size = Bytes(1000);
    const TrafficShares shares = SharesOf(WorkloadOf("w", a), fabric);
    const std::vector<double> crossings = ExpectedCrossings(shares, fabric);
    double up = 0, down = 0;
    for (size_t i = 0; i < s.topology.links.size(); ++i) {
      const TopologyLink& link = s.topology.links[i];
      if (link.a.node < s.topology.hosts) {
        EXPECT_NEAR(crossings[2 * i], 1.0 / 16, 1e-12);
        EXPECT_NEAR(crossings[2 * i + 1], 1.0 / 16, 1e-12);
      } else {
        up += crossings[2 * i];
        down += crossings[2 * i + 1];
      }
    }
    // Four of the seven other hosts are in the other rack; with one leaf, six are at other leaves.
    const double across = kind == Attach::one_leaf ? 6.0 / 7 : 4.0 / 7;
    EXPECT_NEAR(up, across, 1e-12);
    EXPECT_NEAR(down, across, 1e-12);
  }
}

TEST(TwoPorts, a_leaf_that_receives_more_delivers_more) {
  // c is at one leaf, and both leaves are linked: what c sends to a host with two ports arrives at its own
  // leaf.
  Scenario s = ScenarioOf(BuildCustom({"a", "c"}, {"t0", "t1"},
                                      {{"a", "", "t0", "", kLink},
                                       {"a", "", "t1", "", kLink},
                                       {"c", "", "t0", "", kLink},
                                       {"t0", "", "t1", "", kLink}}));
  const Fabric fabric(s);
  TrafficSums sums(fabric);
  sums.Add(1, 0, 1);
  sums.Add(0, 1, 1);
  const std::vector<double> crossings = ExpectedCrossings(sums.sums(), fabric);
  EXPECT_DOUBLE_EQ(crossings[1], 1);    // t0 to a
  EXPECT_DOUBLE_EQ(crossings[3], 0);    // t1 to a
  EXPECT_DOUBLE_EQ(crossings[0], 0.5);  // a to t0
  EXPECT_DOUBLE_EQ(crossings[2], 0.5);  // a to t1
  EXPECT_DOUBLE_EQ(crossings[7], 0.5);  // t1 to t0
  EXPECT_DOUBLE_EQ(crossings[5], 1);    // t0 to c
}

}  // namespace
}  // namespace headroom::traffic_shares_test

#include "analysis/check/check_topology.h"

#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_topology_test {
namespace {

constexpr const char* kOneMessage =
    "workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1KB}]}]\n";

TEST(CheckTopology, BaseRttAndBandwidthDelayProductOfAStar) {
  const Scenario s = StarOf(3, kOneMessage);
  const TopologyCheck check = CheckTopology(Fabric(s));
  ASSERT_EQ(check.distances.size(), 1u);
  const Distance& rack = check.distances[0];
  EXPECT_EQ(rack.scope, Scope::rack);
  EXPECT_EQ(rack.least_hops, 2u);
  // Forward: 62 + 16 + 1024 + 20 = 1122 B take 89.76 ns on each of two links, 25 ns of cable each, 500 ns in
  // the switch: 729.52 ns. Back: 66 + 20 = 86 B, 6.88 ns each: 563.76 ns.
  EXPECT_EQ(rack.least_rtt, Picoseconds(1'293'280));
  EXPECT_EQ(rack.most_rtt, rack.least_rtt);
  EXPECT_EQ(rack.least_bdp, Bytes(16'166));  // 1293.28 ns · 12.5 B/ns = 16 166
}

TEST(CheckTopology, CountsTiersLinksAndDistancesOfARegion) {
  const Scenario s = ScenarioOf(R"(
name: region
duration: 1ms
topology:
  {type: region, datacenters: 2, clusters: 2, racks: 2, hosts: 2, t1: 2, t2: 2, hubs: 2,
   links: {host: {rate: 100Gbps, length: 3m}, t0_t1: {rate: 100Gbps, length: 40m}, t1_t2: {rate: 400Gbps, length: 300m},
           t2_rh: {rate: 400Gbps, length: 40km}}}
workloads: [{name: w, type: permutation, size: 1KB}]
)");
  const TopologyCheck check = CheckTopology(Fabric(s));
  std::string tiers;
  for (const TierCount& t : check.tiers) tiers += t.tier + " " + std::to_string(t.nodes) + ", ";
  EXPECT_EQ(tiers, "host 16, t0 8, t1 8, t2 4, rh 2, ");
  std::string links;
  for (const LinkClass& c : check.links)
    links += c.lower + "-" + c.upper + " " + std::to_string(c.links) + ", ";
  // 16 hosts; 8 T0s with 2 T1s each; 8 T1s with 2 T2s each; 4 T2s with 2 hubs each.
  EXPECT_EQ(links, "host-t0 16, t0-t1 16, t1-t2 16, t2-rh 8, ");
  ASSERT_EQ(check.distances.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(check.distances[i].scope, static_cast<Scope>(i));
    EXPECT_EQ(check.distances[i].least_hops, 2 * (i + 1));
  }
  // Between datacenters the fibre alone takes 4 · 200 µs.
  EXPECT_GT(check.distances[3].least_rtt, Microseconds(800));
  EXPECT_LT(check.distances[3].least_rtt, Microseconds(830));
}

TEST(CheckTopology, UnequalPairsOfOneScopeGiveARange) {
  const Scenario s = ScenarioOf(R"(
name: two-lengths
duration: 1ms
topology:
  type: custom
  hosts: [a, b, c]
  switches: [s]
  links: [{ends: [a, s], rate: 100Gbps, delay: 1us}, {ends: [b, s], rate: 100Gbps, delay: 1us},
          {ends: [c, s], rate: 100Gbps, delay: 3us}]
workloads: [{name: w, type: permutation, size: 1KB}]
)");
  const Distance rack = CheckTopology(Fabric(s)).distances.at(0);
  // The way is that of the star, but with 2 · 2 µs of cable instead of 100 ns; c is 2 · 2 µs farther away.
  EXPECT_EQ(rack.least_rtt, Picoseconds(1'293'280 - 100'000) + Microseconds(4));
  EXPECT_EQ(rack.most_rtt, rack.least_rtt + Microseconds(4));
  EXPECT_EQ(rack.from + rack.to, "ab");
}

}  // namespace
}  // namespace headroom::check_topology_test

#include "scenario/paths/flow_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/dice.h"
#include "support/scenarios.h"

namespace headroom::flow_paths_test {
namespace {

using Kind = RoutingParameters::Kind;

/// Two tiers with weights, and random routing at each switch.
Scenario Drawn(uint64_t seed) {
  Dice d(seed);
  const LinkOf fabric = LinkOf::Choose([&d](const auto&, const auto&, const auto&, const auto&) {
    LinkSpec link{GigabitsPerSecond(100), Nanoseconds(d.OneOf<int64_t>({15, 15, 200})), Time{}, 0.0};
    link.weight = static_cast<int>(d.Between(1, 3));
    return link;
  });
  const LinkSpec host{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};
  Scenario s = ScenarioOf(d.OneIn(2) ? BuildFatTree(4, host, fabric, fabric)
                                     : BuildLeafSpine(3, 3, 2, host, fabric, 2));
  for (SwitchParameters& sw : s.switches)
    sw.routing.kind = d.OneOf({Kind::ecmp, Kind::ecmp, Kind::spray, Kind::adaptive, Kind::flowlet});
  return s;
}

TEST(FlowPaths, AgreeWithANaiveWalkOfTheRoutes) {
  // Whichever switches split flows, each distance carries the entire flow. Each node sends its part over the
  // next hops that its routing may choose, by weight if it splits, and over ECMP's if not.
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Scenario s = Drawn(seed);
    const std::vector<RouteTable> routes = RoutesOf(s);
    const EcmpPaths paths(s.topology, routes, EcmpSeedsOf(s));
    const FlowPaths flows(s, routes, paths);
    const NodeId from = static_cast<NodeId>(seed % s.topology.hosts), to = (from + 5) % s.topology.hosts;
    const FlowHops hops = flows.Of(from, to, 49152);
    ASSERT_FALSE(hops.empty());
    std::map<NodeId, double> here{{from, 1.0}};
    double count = 0;
    std::map<NodeId, double> counts{{from, 1.0}};
    for (const std::vector<FlowHop>& at : hops) {
      std::map<NodeId, double> sent, next, next_counts;
      count = 0;
      for (const FlowHop& each : at) {
        const NodeId node = each.hop.from.node;
        const auto set = routes[node].NextHops(to);
        const auto times = std::ranges::count(set, static_cast<uint16_t>(each.hop.from.port_index));
        const bool splits = node >= s.topology.hosts && s.switches[node - s.topology.hosts].routing.Splits();
        EXPECT_GT(times, 0);
        const double expected =
            splits ? here.at(node) * static_cast<double>(times) / static_cast<double>(set.size())
                   : here.at(node);
        EXPECT_NEAR(each.share, expected, 1e-12);
        sent[node] += each.share;
        next[each.hop.to.node] += each.share;
        next_counts[each.hop.to.node] += counts.at(node);
        count += counts.at(node);
      }
      for (const auto& [node, share] : here) EXPECT_NEAR(sent[node], share, 1e-12) << "seed " << seed;
      here = next;
      counts = next_counts;
    }
    EXPECT_EQ(here.size(), 1u);
    EXPECT_TRUE(here.contains(to));
    EXPECT_EQ(CountPaths(hops), count);
    EXPECT_EQ(IsOnePath(hops), count == 1);
    const std::vector<IdealHop> longest = LongestHops(s, hops), shortest = ShortestHops(s, hops);
    EXPECT_EQ(AreAlike(s, hops), longest == shortest);
    // Without splitting it equals ECMP's path.
    Scenario plain = s;
    for (SwitchParameters& sw : plain.switches) sw.routing = {};
    const FlowPaths one(plain, routes, paths);
    const std::vector<PathHop> path = paths.Of(from, to, 49152);
    const FlowHops same = one.Of(from, to, 49152);
    ASSERT_EQ(same.size(), path.size());
    for (size_t i = 0; i < path.size(); ++i) {
      ASSERT_EQ(same[i].size(), 1u);
      EXPECT_EQ(same[i][0].hop.from, path[i].from);
    }
    // No packet takes less than along the shortest hops, or more than along the longest; ECMP's path is one
    // of them.
    for (size_t i = 0; i < path.size(); ++i) {
      EXPECT_LE(shortest[i].delay, longest[i].delay);
      EXPECT_GE(shortest[i].rate, longest[i].rate);
    }
  }
}

}  // namespace
}  // namespace headroom::flow_paths_test

// Paths of the HPCC simulator: a model of its rules, which was written independently and gives its completion
// times to the nanosecond (tests/peers/hpcc_networks_test.cc).
#include "scenario/hpcc/hpcc_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "scenario/paths/largest_trip.h"
#include "support/scenarios.h"

namespace headroom::hpcc_paths_test {
namespace {

using testing::ElementsAre;

constexpr LinkSpec kLink{GigabitsPerSecond(100), Microseconds(1), Time{}, 0.0};

/// Hosts n0 … n15, edges n16 … n23, aggregation n24 … n31, cores n32 … n35.
Topology FatTree() {
  std::vector<std::string> hosts, switches;
  std::vector<CustomLink> links;
  const auto name = [](int id) { return "n" + std::to_string(id); };
  const auto link = [&](int a, int b) { links.push_back({name(a), "", name(b), "", kLink}); };
  for (int n = 0; n < 36; ++n) (n < 16 ? hosts : switches).push_back(name(n));
  for (int h = 0; h < 16; ++h) link(h, 16 + h / 2);
  for (int pod = 0; pod < 8; pod += 2) {
    for (const int edge : {16, 17}) {
      for (const int aggregation : {24, 25}) link(pod + edge, pod + aggregation);
    }
    for (const int a : {0, 1}) {
      for (const int c : {0, 1}) link(pod + 24 + a, 32 + 2 * a + c);
    }
  }
  return BuildCustom(hosts, switches, links);
}

TEST(HpccPaths, AreThoseOfTheSimulator) {
  const Topology t = FatTree();
  HpccPaths paths(t);
  EXPECT_THAT(paths.SwitchesOf(7, 9, 10'000, 100), ElementsAre(19, 27, 35, 29, 20));
  EXPECT_THAT(paths.SwitchesOf(9, 7, 100, 10'000), ElementsAre(20, 28, 33, 26, 19));
  EXPECT_THAT(paths.SwitchesOf(4, 5, 10'000, 100), ElementsAre(18));
  EXPECT_THAT(paths.SwitchesOf(15, 10, 10'000, 100), ElementsAre(23, 30, 33, 28, 21));
  EXPECT_THAT(paths.SwitchesOf(10, 15, 100, 10'000), ElementsAre(21, 28, 33, 30, 23));
  EXPECT_THAT(paths.SwitchesOf(2, 9, 10'000, 100), ElementsAre(17, 25, 34, 29, 20));
  EXPECT_THAT(paths.SwitchesOf(15, 4, 10'000, 100), ElementsAre(23, 31, 34, 27, 18));
  EXPECT_THAT(paths.SwitchesOf(3, 7, 100, 10'000), ElementsAre(17, 25, 35, 27, 19));
  EXPECT_THAT(paths.SwitchesOf(15, 8, 10'000, 100), ElementsAre(23, 31, 35, 29, 20));
}

TEST(HpccPaths, TheSourcePortLeadsThereAndBack) {
  const Topology t = FatTree();
  const auto routes = ComputeRoutes(t);
  const EcmpPaths ours(t, routes);
  const auto switches = [&](NodeId src, NodeId dst, uint16_t port) {
    std::vector<NodeId> path;
    for (const PathHop& hop : ours.Of(src, dst, port)) path.push_back(hop.to.node);
    path.pop_back();
    return path;
  };
  HpccPaths paths(t);
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const NodeId src = random() % 16, dst = (src + 1 + random() % 15) % 16;
    const auto src_port = static_cast<uint16_t>(10'000 + random() % 20),
               dst_port = static_cast<uint16_t>(random());
    const auto port = paths.SourcePortFor(src, dst, src_port, dst_port);
    if (src / 2 == dst / 2) {
      EXPECT_FALSE(port);  // with one switch there is no choice
      continue;
    }
    ASSERT_TRUE(port);
    EXPECT_GE(*port, 0xC000);
    EXPECT_EQ(switches(src, dst, *port), paths.SwitchesOf(src, dst, src_port, dst_port));
    EXPECT_EQ(switches(dst, src, *port), paths.SwitchesOf(dst, src, dst_port, src_port));
  }
}

/// 25G hosts, two of them 100G, over 40G: the longest trip does not have the largest product.
TEST(LargestTrip, TripAndProductAreOfTheirOwnPairs) {
  const LinkSpec slow{GigabitsPerSecond(25), Microseconds(1), Time{}, 0.0};
  const LinkSpec between{GigabitsPerSecond(40), Microseconds(3), Time{}, 0.0};
  Scenario s = StarScenario(2, kLink);
  s.mtu = 1000;
  s.topology = BuildCustom({"a", "b", "c", "d"}, {"left", "right"},
                           {{"a", "", "left", "", kLink},
                            {"b", "", "left", "", kLink},
                            {"c", "", "left", "", slow},
                            {"d", "", "right", "", slow},
                            {"left", "", "right", "", between}});
  const LargestTrip largest = LargestTripOf(s);
  // c to d: 2 · (1 + 3 + 1) us, 320 + 200 + 320 ns. a to b: 4160 ns at 100G; c to d at 25G: 33 875 B.
  EXPECT_EQ(largest.round_trip, Nanoseconds(10'840));
  EXPECT_EQ(largest.product, Bytes(52'000));
}

}  // namespace
}  // namespace headroom::hpcc_paths_test

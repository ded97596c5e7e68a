#include "workload/nic_rule.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "net/topology/topology_builders.h"
#include "support/scenarios.h"
#include "workload/types/permutation.h"

namespace headroom::nic_rule_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time(), 0.0};

WorkloadParameters Ruled(NicRule::Kind kind, uint16_t number = 0) {
  WorkloadParameters w = WorkloadOf("w", PermutationArrivals{});
  w.arrivals->nic = {kind, number};
  return w;
}

Topology Star(const std::vector<int>& nics) {
  std::vector<std::string> names;
  for (size_t i = 0; i < nics.size(); ++i) names.push_back("h" + std::to_string(i));
  return BuildStar(names, kLink, nics);
}

TEST(NicRule, HostsWithOneNicHaveNoChoice) {
  const Topology t = Star({1, 1});
  for (const auto kind : {NicRule::Kind::rail, NicRule::Kind::hash, NicRule::Kind::round_robin})
    EXPECT_EQ(NicsOf(t, Ruled(kind), 1, 0, 7), (NicEnds{1, 0}));
}

TEST(NicRule, QueuePairsOfTwoHostsGoRoundTheRails) {
  const Topology t = Star({4, 4});
  std::set<NodeId> used;
  for (uint32_t q = 0; q < 4; ++q) {
    const NicEnds nics = NicsOf(t, Ruled(NicRule::Kind::rail), 0, 4, q);
    EXPECT_EQ(nics.dst - 4, nics.src);
    used.insert(nics.src);
  }
  EXPECT_EQ(used.size(), 4u);
}

TEST(NicRule, PeersOfAHostGoRoundTheRails) {
  // Each two of 16 hosts have one queue pair. The 15 peers of a host take its 4 NICs equally often, but for
  // one. So do the 16 messages of a ring.
  const Topology t = Star(std::vector<int>(16, 4));
  for (const auto kind : {NicRule::Kind::rail, NicRule::Kind::round_robin}) {
    std::map<NodeId, int> sent, received, ring;
    for (NodeId from = 0; from < 16; ++from) {
      for (NodeId to = 0; to < 16; ++to) {
        if (from == to) continue;
        const NicEnds nics = NicsOf(t, Ruled(kind), 4 * from, 4 * to, 0);
        ++sent[nics.src];
        ++received[nics.dst];
        if (to == (from + 1) % 16) ++ring[t.nodes[nics.src].nic];
      }
    }
    for (const auto* of : {&sent, &received}) {
      EXPECT_EQ(of->size(), 64u);
      for (const auto& [nic, count] : *of) EXPECT_TRUE(count == 3 || count == 4) << nic;
    }
    EXPECT_EQ(ring.size(), 4u);
    for (const auto& [rail, count] : ring) EXPECT_EQ(count, 4) << rail;
  }
}

TEST(NicRule, HostsOfDifferentSizesShareTheirCommonRails) {
  const Topology t = Star({4, 2, 1});
  for (uint32_t q = 0; q < 8; ++q) {
    const NicEnds two = NicsOf(t, Ruled(NicRule::Kind::rail), 0, 4, q);
    EXPECT_EQ(two.dst - 4, two.src);
    EXPECT_LT(two.src, 2u);
    EXPECT_EQ(NicsOf(t, Ruled(NicRule::Kind::rail), 6, 0, q), (NicEnds{6, 0}));
    EXPECT_EQ(NicsOf(t, Ruled(NicRule::Kind::number, 3), 0, 4, q), (NicEnds{3, 5}));
  }
}

TEST(NicRule, AHostSendsToItselfThroughOneNic) {
  const Topology t = Star({4, 4});
  for (const auto kind : {NicRule::Kind::rail, NicRule::Kind::hash, NicRule::Kind::round_robin}) {
    const NicEnds nics = NicsOf(t, Ruled(kind), 4, 4, 1);
    EXPECT_EQ(nics.src, nics.dst);
  }
}

}  // namespace
}  // namespace headroom::nic_rule_test

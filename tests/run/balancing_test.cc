// Balancing at the sender, in complete runs: packets of one queue pair take many paths of ECMP.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/record_text.h"
#include "run/storms.h"

namespace headroom::balancing_run_test {
namespace {

using Type = BalancingParameters::Type;

constexpr int kLeaves = 2, kSpines = 4, kHosts = 4;
constexpr NodeId kLeaf = kLeaves * kHosts;
constexpr Type kAll[] = {Type::oblivious, Type::bitmap, Type::reps, Type::mixed};

/// `senders` hosts of the first leaf send a message each to the other leaf.
Scenario Across(Type type, NodeId senders, Bytes size, const LinkOf& fabric = kStormLink) {
  Scenario s = ScenarioOf(BuildLeafSpine(kLeaves, kSpines, kHosts, kStormLink, fabric));
  s.duration = s.deadline = Milliseconds(50);
  for (NicParameters& nic : s.nics) {
    nic.congestion_control = NicParameters::CongestionControl::none;
    nic.transport.rto = Milliseconds(1);
    nic.transport.recovery.type = RecoveryParameters::Type::selective_repeat;
    nic.transport.recovery.nack_after_time = Microseconds(100);
    nic.transport.window.kind = SendWindow::Kind::bdp;
    nic.transport.balancing.type = type;
  }
  for (NodeId h = 0; h < senders; ++h)
    s.workloads.push_back(Flow("f" + std::to_string(h), h, h + kHosts, Microseconds(1), 1, size));
  return s;
}

std::vector<uint64_t> Uplinks(const RunRecord& r, NodeId leaf = kLeaf) {
  std::vector<uint64_t> sent;
  for (uint16_t p = kHosts; p < kHosts + kSpines; ++p) sent.push_back(At(r, leaf, p).tx_packets);
  return sent;
}

TEST(Balancing, OneQueuePairUsesAllPathsAndEveryMessageArrives) {
  for (const Type type : kAll) {
    InChild([type] {
      const RunRecord r = Checked(Across(type, 1, Bytes(4'000'000)));
      EXPECT_EQ(r.status, RunStatus::complete);
      for (const MessageRecord& m : r.messages) EXPECT_TRUE(m.Finished());
      EXPECT_EQ(AllDrops(r), 0u);
      // 64 entropies fall on 4 links at random: 16 ± 3.5 each.
      const std::vector<uint64_t> up = Uplinks(r);
      uint64_t all = 0;
      for (const uint64_t sent : up) all += sent;
      for (const uint64_t sent : up) EXPECT_GT(sent, all / 16);
      // ACKs return with the entropy of their packets, so they spread, too.
      for (const uint64_t sent : Uplinks(r, kLeaf + 1)) EXPECT_GT(sent, 0u);
    });
  }
  InChild([] {
    const std::vector<uint64_t> up = Uplinks(Checked(Across(Type::none, 1, Bytes(4'000'000))));
    EXPECT_EQ(std::ranges::count(up, 0u), kSpines - 1);
  });
}

// Packets over the slow link are marked, so their entropies are not used again.
TEST(Balancing, RecycledEntropiesAvoidASlowLink) {
  const LinkOf fabric = LinkOf::Choose([](const auto&, const auto&, const TopologyNode& spine, const auto&) {
    LinkSpec link = kStormLink;
    if (spine.name == "spine0") link.rate = Rate(link.rate.v / 10);
    return link;
  });
  // A quarter of random entropies lead over it.
  const std::pair<Type, std::pair<double, double>> shares[] = {{Type::oblivious, {0.2, 0.3}},
                                                               {Type::bitmap, {0, 0.2}},
                                                               {Type::reps, {0, 0.17}},
                                                               {Type::mixed, {0, 0.13}}};
  for (const auto& [type, bounds] : shares) {
    InChild([&] {
      Scenario s = Across(type, 2, Bytes(4'000'000), fabric);
      for (SwitchParameters& sw : s.switches) sw.ecn[3] = Ecn(10'000, 20'000, 1.0);
      const RunRecord r = Checked(s);
      EXPECT_EQ(r.status, RunStatus::complete);
      const std::vector<uint64_t> up = Uplinks(r);
      const double share = static_cast<double>(up[0]) / static_cast<double>(up[0] + up[1] + up[2] + up[3]);
      EXPECT_GE(share, bounds.first) << static_cast<int>(type);
      EXPECT_LE(share, bounds.second) << static_cast<int>(type);
    });
  }
}

}  // namespace
}  // namespace headroom::balancing_run_test

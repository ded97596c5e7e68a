
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ns3/rng-seed-manager.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "workload/offers.h"
#include "workload/types/incast.h"
#include "workload/types/list.h"
#include "workload/types/permutation.h"

namespace headroom::bursts_test {
namespace {

using testing::ElementsAre;

IncastArrivals Incast(std::vector<NodeId> from, std::vector<NodeId> to, int fan_in, int count = 1) {
  IncastArrivals a;
  a.size = Bytes(1000);
  a.from = std::move(from);
  a.to = std::move(to);
  a.fan_in = fan_in;
  a.at = Microseconds(100);
  a.every = Microseconds(10);
  a.count = count;
  return a;
}

TEST(Incast, EverySenderAtOnceAgainAndAgain) {
  // Three bursts from hosts 0, 1 and 2 to 3, which is among the senders and left out.
  const Offered offered(WorkloadOf("burst", Incast({0, 1, 2, 3}, {3}, 0, 3)), Star(4), Milliseconds(1));
  ASSERT_EQ(offered.messages.size(), 9u);
  for (size_t i = 0; i < 9; ++i) {
    const auto& m = offered.messages[i];
    EXPECT_EQ(m.at, Microseconds(100 + 10 * static_cast<int64_t>(i / 3)));
    EXPECT_EQ(m.src, i % 3);
    EXPECT_EQ(m.dst, 3u);
    EXPECT_EQ(m.size, Bytes(1000));
  }
  EXPECT_EQ(offered.exhausted, 1);
  EXPECT_EQ(offered.exhausted_at, Microseconds(120));
}

TEST(Incast, StopsWithTheArrivals) {
  const Offered offered(WorkloadOf("burst", Incast({0, 1}, {3}, 0, 100)), Star(4), Microseconds(120));
  EXPECT_EQ(offered.messages.size(), 4u);  // at 100 and 110 us
  EXPECT_EQ(offered.exhausted, 1);
}

TEST(Incast, DrawsFanInSendersWithoutPreference) {
  // 4 of 15 hosts, 3000 times: each host is in 4/15 of the bursts, 800 ± 5 × √(3000 × 4/15 × 11/15) = ± 121.
  // Pairs are checked, too.
  const Offered offered(WorkloadOf("burst", Incast(Hosts(0, 16), {7}, 4, 3000)), Star(16), Seconds(1));
  ASSERT_EQ(offered.messages.size(), 12'000u);
  std::map<NodeId, int> seen;
  std::map<std::pair<NodeId, NodeId>, int> pairs;
  for (size_t b = 0; b < 3000; ++b) {
    std::vector<NodeId> senders;
    for (size_t i = 4 * b; i < 4 * b + 4; ++i) senders.push_back(offered.messages[i].src);
    ASSERT_TRUE(std::is_sorted(senders.begin(), senders.end()));
    ASSERT_EQ(std::set<NodeId>(senders.begin(), senders.end()).size(), 4u);
    for (const NodeId s : senders) ++seen[s];
    ++pairs[{senders[0], senders[1]}];
  }
  EXPECT_EQ(seen.count(7), 0u);
  EXPECT_EQ(seen.size(), 15u);
  for (const auto& [host, n] : seen) EXPECT_NEAR(n, 800, 121) << host;
  EXPECT_GT(pairs.size(), 60u);
}

TEST(Incast, DrawsItsTargetWhereThereAreSeveral) {
  const Offered offered(WorkloadOf("burst", Incast(Hosts(0, 8), {2, 5}, 3, 1000)), Star(8), Seconds(1));
  std::map<NodeId, int> targets;
  for (const auto& m : offered.messages) {
    ++targets[m.dst];
    ASSERT_NE(m.src, m.dst);
  }
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_NEAR(targets[2], 1500, 240);  // 500 of 1000 bursts ± 5 × √250, with three messages each
}

TEST(Incast, TheScopeLiesRoundTheTarget) {
  IncastArrivals a = Incast(Hosts(0, 16), {6}, 0);
  a.scope = Scope::cluster;
  const Offered offered(WorkloadOf("burst", a), Region(), Milliseconds(1));
  std::vector<NodeId> senders;
  for (const auto& m : offered.messages) senders.push_back(m.src);
  EXPECT_THAT(senders, ElementsAre(4, 5, 7));
}

TEST(Incast, RefusesATargetThatNobodyCanSendTo) {
  IncastArrivals a = Incast({0, 1}, {6}, 0);
  a.scope = Scope::rack;
  EXPECT_THROW(Offered(WorkloadOf("burst", a), Region(), Milliseconds(1)), std::invalid_argument);
  EXPECT_THROW(Offered(WorkloadOf("burst", Incast({3}, {3}, 0)), Star(4), Milliseconds(1)),
               std::invalid_argument);
}

TEST(Permutation, IsOneCycleThroughAllHosts) {
  for (const NodeId hosts : {2u, 3u, 16u, 101u}) {
    PermutationArrivals a;
    a.size = Bytes(5);
    a.hosts = Hosts(0, hosts);
    a.at = Microseconds(7);
    const Offered offered(WorkloadOf("perm", a), Star(static_cast<int>(hosts)), Milliseconds(1));
    ASSERT_EQ(offered.messages.size(), hosts);
    std::map<NodeId, NodeId> next;
    for (const auto& m : offered.messages) {
      EXPECT_EQ(m.at, Microseconds(7));
      next[m.src] = m.dst;
    }
    NodeId at = 0;
    for (NodeId i = 1; i < hosts; ++i) {
      at = next.at(at);
      EXPECT_NE(at, 0u);
    }
    EXPECT_EQ(next.at(at), 0u);
  }
}

TEST(Permutation, EveryCycleIsAsLikelyAndTheSeedDecides) {
  // Four hosts have six cycles: of 1200 seeds each has 200 ± 5 × √(1200 × 5/36) = ± 65.
  PermutationArrivals a;
  a.hosts = Hosts(0, 4);
  const uint64_t run = ns3::RngSeedManager::GetRun();
  std::map<std::vector<NodeId>, int> seen;
  for (uint64_t seed = 1; seed <= 1200; ++seed) {
    ns3::RngSeedManager::SetRun(seed);
    std::vector<NodeId> to;
    const WorkloadParameters workload = WorkloadOf("perm", a);
    const auto messages = workload.arrivals->Listed(workload);
    for (const ListedMessage& m : *messages) to.push_back(m.to);
    ++seen[to];
  }
  ns3::RngSeedManager::SetRun(run);
  EXPECT_EQ(seen.size(), 6u);
  for (const auto& [cycle, n] : seen) EXPECT_NEAR(n, 200, 65);
}

TEST(List, OffersWhatIsWrittenWhenItIsWritten) {
  ListArrivals a;
  a.messages = {{Microseconds(1), 0, 1, Bytes(10), {}},
                {Microseconds(1), 2, 1, Bytes(20), uint8_t{0}},
                {Microseconds(5), 1, 0, Bytes(30), {}},
                {Microseconds(9), 1, 0, Bytes(40), {}}};
  const Offered offered(WorkloadOf("list", a), Star(3), Microseconds(9));
  EXPECT_THAT(offered.messages, ElementsAre(Offered::Message{Microseconds(1), 0, 1, Bytes(10), 3},
                                            Offered::Message{Microseconds(1), 2, 1, Bytes(20), 0},
                                            Offered::Message{Microseconds(5), 1, 0, Bytes(30), 3}));
  EXPECT_EQ(offered.exhausted, 1);
}

TEST(List, OffersByItsOwnSourcePorts) {
  ListArrivals a;
  a.messages = {{Microseconds(1), 0, 1, Bytes(10), {}, uint16_t{50'000}},
                {Microseconds(2), 0, 1, Bytes(10), {}}};
  std::vector<std::optional<uint16_t>> ports;
  const Offered offered(WorkloadOf("list", a), Star(3), Microseconds(9));
  for (const Offered::Message& m : offered.messages) ports.push_back(m.source_port);
  EXPECT_THAT(ports, ElementsAre(uint16_t{50'000}, std::nullopt));
}

TEST(List, AnEmptyOneIsOverAtOnce) {
  const Offered offered(WorkloadOf("list", ListArrivals{}), Star(3), Microseconds(9));
  EXPECT_EQ(offered.exhausted, 1);
  EXPECT_EQ(offered.exhausted_at, Time{});
}

}  // namespace
}  // namespace headroom::bursts_test


#include <gtest/gtest.h>
#include <ns3/rng-seed-manager.h>

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "workload/distributions/distributions.h"
#include "workload/offers.h"
#include "workload/types/poisson.h"

namespace headroom::poisson_test {
namespace {

PoissonArrivals Arrivals(NodeId hosts, double load, Bytes size = Bytes(10'000)) {
  PoissonArrivals a;
  a.size = size;
  a.load = load;
  a.from = a.to = Hosts(0, hosts);
  return a;
}

TEST(Poisson, OffersTheLoadItIsToldTo) {
  // 40 % of 100 Gb/s in messages of 10 kB are 500 000 a second: in 10 ms each host sends 5000, ± 5 × √5000 =
  // ± 354.
  const Offered offered(WorkloadOf("w", Arrivals(4, 0.4)), Star(4), Milliseconds(10));
  for (NodeId h = 0; h < 4; ++h) {
    EXPECT_NEAR(static_cast<double>(offered.From(h).size()), 5000, 354);
  }
  EXPECT_EQ(offered.exhausted, 4);
  EXPECT_LT(offered.messages.back().at, Milliseconds(10));
}

TEST(Poisson, GapsAreExponential) {
  // The mean is 2 us. The share of gaps beyond x is e^(−x/2us); for 25 000 gaps ± 5 × √(p(1−p)/25 000) is at
  // most ± 0.016.
  const Offered offered(WorkloadOf("w", Arrivals(2, 0.4)), Star(2), Milliseconds(50));
  const auto messages = offered.From(0);
  ASSERT_GT(messages.size(), 20'000u);
  std::map<int, int> beyond;
  for (size_t i = 1; i < messages.size(); ++i) {
    for (int us = 1; us <= 8; ++us) beyond[us] += messages[i].at - messages[i - 1].at > Microseconds(us);
  }
  for (int us = 1; us <= 8; ++us) {
    EXPECT_NEAR(beyond[us] / static_cast<double>(messages.size() - 1), std::exp(-us / 2.0), 0.016) << us;
  }
}

TEST(Poisson, SizesFollowTheDistributionAndTheLoadItsMean) {
  PoissonArrivals a = Arrivals(4, 0.5, Bytes());
  a.sizes = FindDistribution("AliStorage2019");
  const Offered offered(WorkloadOf("w", a), Star(4), Milliseconds(100));
  double bytes = 0;
  std::map<NodeId, double> by_host;
  for (const auto& m : offered.messages) bytes += static_cast<double>(m.size.v);
  // 4 hosts × 50 % of 12.5 GB/s × 100 ms = 2.5 GB; the heavy tail leaves a few per cent of uncertainty.
  EXPECT_NEAR(bytes, 2.5e9, 0.15e9);
  EXPECT_NEAR(bytes / static_cast<double>(offered.messages.size()), MeanBytes(*a.sizes),
              0.05 * MeanBytes(*a.sizes));
}

TEST(Poisson, TargetsAreTheOthersAllAlike) {
  // Each of five hosts has four targets: a quarter each, of 10 000 messages ± 5 × √(10 000 × 3/16) = ± 217.
  const Offered offered(WorkloadOf("w", Arrivals(5, 0.4)), Star(5), Milliseconds(20));
  for (NodeId h = 0; h < 5; ++h) {
    std::map<NodeId, int> to;
    const auto messages = offered.From(h);
    for (const auto& m : messages) ++to[m.dst];
    EXPECT_EQ(to.count(h), 0u);
    ASSERT_EQ(to.size(), 4u);
    for (const auto& [dst, n] : to) EXPECT_NEAR(n, static_cast<double>(messages.size()) / 4, 217);
  }
}

std::vector<std::pair<Time, Bytes>> TimesAndSizes(const std::vector<Offered::Message>& messages) {
  std::vector<std::pair<Time, Bytes>> of;
  for (const auto& m : messages) of.push_back({m.at, m.size});
  return of;
}

TEST(Poisson, AddingAHostChangesNoOthersTimesAndSizes) {
  PoissonArrivals four = Arrivals(4, 0.3, Bytes()), five = Arrivals(5, 0.3, Bytes());
  four.sizes = five.sizes = FindDistribution("AliStorage2019");
  const Offered before(WorkloadOf("w", four), Star(4), Milliseconds(5));
  const Offered after(WorkloadOf("w", five), Star(5), Milliseconds(5));
  for (NodeId h = 0; h < 4; ++h) {
    EXPECT_GT(before.From(h).size(), 20u);
    EXPECT_EQ(TimesAndSizes(before.From(h)), TimesAndSizes(after.From(h)));
  }
}

TEST(Poisson, HostsWorkloadsAndSeedsDrawForThemselves) {
  const auto times = [](const std::string& workload, NodeId host) {
    return TimesAndSizes(
        Offered(WorkloadOf(workload, Arrivals(2, 0.3)), Star(2), Milliseconds(1)).From(host));
  };
  const auto one = times("w", 0);
  EXPECT_EQ(times("w", 0), one);
  EXPECT_NE(times("w", 1), one);
  EXPECT_NE(times("v", 0), one);
  const uint64_t run = ns3::RngSeedManager::GetRun();
  ns3::RngSeedManager::SetRun(run + 1);
  EXPECT_NE(times("w", 0), one);
  ns3::RngSeedManager::SetRun(run);
}

/// Distances of every host's targets. Each target is within the scope, and all of the scope is used.
void ExpectTargets(Scope scope, NodeId size) {
  PoissonArrivals a = Arrivals(16, 0.4);
  a.scope = scope;
  const Offered offered(WorkloadOf("w", a), Region(), Milliseconds(2));
  for (NodeId h = 0; h < 16; ++h) {
    std::set<NodeId> targets, expected;
    for (const auto& m : offered.From(h)) targets.insert(m.dst);
    const NodeId first = h / size * size;  // hosts of one place have consecutive numbers
    for (NodeId t = first; t < first + size; ++t) {
      if (t != h) expected.insert(t);
    }
    EXPECT_EQ(targets, expected) << "host " << h;
  }
}

TEST(Poisson, ScopesLimitTheTargets) {
  ExpectTargets(Scope::rack, 2);
  ExpectTargets(Scope::cluster, 4);
  ExpectTargets(Scope::datacenter, 8);
  ExpectTargets(Scope::region, 16);
}

TEST(Poisson, RefusesASenderWithNobodyInReach) {
  PoissonArrivals a = Arrivals(16, 0.4);
  a.to = {5};
  a.scope = Scope::rack;
  try {
    const Offered offered(WorkloadOf("w", a), Region(), Milliseconds(1));
    ADD_FAILURE() << "accepted";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "workload w: dc0-c0-r0-h0 has no target within its scope");
  }
}

}  // namespace
}  // namespace headroom::poisson_test

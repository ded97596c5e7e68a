#include "run/pause_roots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace headroom::pause_roots_test {
namespace {

PauseRoot Queue(NodeId node, uint8_t tag = 1) {
  PauseRoot r;
  r.node = node;
  r.queue = 3;
  r.tag = tag;
  return r;
}

PauseRoot Cycle(NodeId node, uint8_t tag = 1) {
  PauseRoot r = Queue(node, tag);
  r.kind = PauseRoot::Kind::cycle;
  return r;
}

std::map<PauseRoot, double> SharesOf(const std::vector<RootShare>& roots) {
  std::map<PauseRoot, double> shares;
  for (const RootShare& r : roots) shares[r.root] += r.share;
  return shares;
}

TEST(PauseRoots, WeightsBecomeSharesTheLargestFirst) {
  const auto of = ResolveRoots({{{{Queue(1), 2}, {Queue(2), 6}}, {}}});
  EXPECT_EQ(of[0], (std::vector<RootShare>{{Queue(2), 0.75}, {Queue(1), 0.25}}));
}

TEST(PauseRoots, WhatAPauseBeyondHoldsIsOfItsRoots) {
  // Pause 0 owes half to x and half to pause 1. Pause 1 owes a quarter to x. So x has 1/2 + 1/2 · 1/4 of
  // pause 0.
  const PauseRoot x = Queue(7), y = Queue(8);
  const auto of = ResolveRoots({{{{x, 10}}, {{1, Queue(5), 10}}}, {{{x, 1}, {y, 3}}, {}}});
  EXPECT_EQ(SharesOf(of[0]), (std::map<PauseRoot, double>{{x, 0.625}, {y, 0.375}}));
  EXPECT_EQ(SharesOf(of[1]), (std::map<PauseRoot, double>{{x, 0.25}, {y, 0.75}}));
}

TEST(PauseRoots, AWayOutOfACircleIsItsRoot) {
  // Pause 0 owes half to pause 1, and pause 1 owes all to pause 0: after some steps both lead to x.
  const PauseRoot x = Queue(7);
  const auto of = ResolveRoots({{{{x, 1}}, {{1, Queue(5), 1}}}, {{}, {{0, Queue(6), 1}}}});
  for (const auto& roots : of) {
    ASSERT_EQ(roots.size(), 1u);
    EXPECT_EQ(roots[0].root, x);
    EXPECT_NEAR(roots[0].share, 1, 1e-9);
  }
}

TEST(PauseRoots, ACircleWithoutAWayOutIsACycleNamedByItsFirstQueue) {
  // Pauses 0 and 1 form the cycle. Pause 2 waits for the cycle, and for x.
  const PauseRoot x = Queue(9);
  const auto of = ResolveRoots({{{}, {{1, Queue(5, 1), 3}, {1, Queue(5, 2), 1}}},
                                {{}, {{0, Queue(4, 2), 1}}},
                                {{{x, 1}}, {{0, Queue(6, 1), 4}}}});
  EXPECT_EQ(SharesOf(of[0]), (std::map<PauseRoot, double>{{Cycle(4, 1), 0.75}, {Cycle(4, 2), 0.25}}));
  EXPECT_EQ(SharesOf(of[1]), (std::map<PauseRoot, double>{{Cycle(4, 2), 1}}));
  const auto shares = SharesOf(of[2]);
  EXPECT_NEAR(shares.at(x), 0.2, 1e-12);
  EXPECT_NEAR(shares.at(Cycle(4, 1)), 0.8 * 0.75, 1e-12);
  EXPECT_NEAR(shares.at(Cycle(4, 2)), 0.8 * 0.25, 1e-12);
}

TEST(PauseRoots, WhatHardlyEverLeavesACircleIsItsOwn) {
  // One byte in a hundred thousand leaves at each pause: after 200 pauses 0.2 %.
  const double out = 1e-5;
  const PauseRoot x = Queue(9);
  const auto of =
      ResolveRoots({{{{x, out}}, {{1, Queue(4), 1 - out}}}, {{{x, out}}, {{0, Queue(5), 1 - out}}}});
  EXPECT_NEAR(SharesOf(of[0]).at(x), 1 - std::pow(1 - out, kLongestPath), 1e-9);
  EXPECT_NEAR(SharesOf(of[0]).at(Cycle(4)), std::pow(1 - out, kLongestPath), 1e-9);
}

TEST(PauseRoots, RootsThatAreSmallAreOneTogether) {
  PauseParts parts;
  parts.roots.push_back({Queue(1), 1});
  for (NodeId n = 2; n < 102; ++n) parts.roots.push_back({Queue(n), 0.5e-4});
  const auto of = ResolveRoots({parts});
  ASSERT_EQ(of[0].size(), 2u);
  EXPECT_EQ(of[0][1].root.kind, PauseRoot::Kind::rest);
  EXPECT_NEAR(of[0][1].share, 0.005 / 1.005, 1e-12);
  EXPECT_NEAR(of[0][0].share + of[0][1].share, 1, 1e-12);
}

TEST(PauseRoots, APauseWithoutPartsHasNone) { EXPECT_TRUE(ResolveRoots({{}})[0].empty()); }

TEST(PauseRoots, AreWhereOneEndsWhoPicksBytesAtRandom) {
  // The result is compared with walks of every length, over graphs with chains and cycles.
  std::mt19937 random(1);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int round = 0; round < 50; ++round) {
    constexpr uint32_t kPauses = 20, kRoots = 4;
    std::vector<PauseParts> pauses(kPauses);
    for (PauseParts& p : pauses) {
      p.roots.push_back({Queue(100 + below(kRoots)), 1.0 + below(5)});
      for (uint32_t i = below(4); i > 0; --i)
        p.beyond.push_back({below(kPauses), Queue(below(9)), 1.0 + below(9)});
    }
    const auto of = ResolveRoots(pauses);
    for (uint32_t from = 0; from < kPauses; ++from) {
      std::vector<double> at(kPauses, 0);
      at[from] = 1;
      std::map<PauseRoot, double> ended;
      for (int step = 0; step < 500; ++step) {
        std::vector<double> next(kPauses, 0);
        for (uint32_t i = 0; i < kPauses; ++i) {
          double total = 0;
          for (const auto& r : pauses[i].roots) total += r.share;
          for (const auto& b : pauses[i].beyond) total += b.weight;
          for (const auto& r : pauses[i].roots) ended[r.root] += at[i] * r.share / total;
          for (const auto& b : pauses[i].beyond) next[b.pause] += at[i] * b.weight / total;
        }
        at = next;
      }
      const auto shares = SharesOf(of[from]);
      for (const auto& [root, share] : ended) {
        const double got = shares.count(root) != 0 ? shares.at(root) : 0;
        EXPECT_NEAR(got, share, 2e-4) << round << ' ' << from;
      }
    }
  }
}

}  // namespace
}  // namespace headroom::pause_roots_test

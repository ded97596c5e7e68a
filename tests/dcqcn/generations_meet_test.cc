// A flow between NICs of two generations. Packets leave at the reaction point's rate, and marks are random.
// CNPs follow the notification point's rule, and reach the reaction point 5 us later.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "dcqcn/generations.h"
#include "dcqcn/notification_point.h"
#include "dcqcn/reaction_point.h"

namespace headroom::generations_meet_test {
namespace {

constexpr Rate kLine = GigabitsPerSecond(40);
constexpr int64_t kFrame = 1106;

struct Journey {
  int cnps = 0, cuts = 0;
  double mean_gbps = 0;
};

/// The flow lasts 100 ms. Marks come singly with this probability, or in runs of 16: runs are longer with a
/// steeper RED curve.
Journey Travel(const RpParameters& rp, const NpParameters& np, double marked, int run, uint32_t seed) {
  const auto sender = ns3::CreateObject<ReactionPoint>();
  sender->SetParameters(rp);
  const auto receiver = ns3::CreateObject<NotificationPoint>();
  receiver->SetParameters(np);
  RpState s = sender->Fresh(kLine);
  NpState n;
  std::mt19937 random(seed);
  std::deque<Time> on_the_way;
  Journey j;
  int64_t bytes = 0;
  int left = 0;
  for (Time now; now < Milliseconds(100); now += SerializationTime(Bytes(kFrame), s.current)) {
    while (true) {  // the events until now, in order
      const Time cnp = on_the_way.empty() ? kNever : on_the_way.front();
      const Time timer = s.NextTimer();
      if (std::min(cnp, timer) > now) break;
      if (timer < cnp) {
        sender->OnTimer(s, timer);
        continue;
      }
      on_the_way.pop_front();
      j.cuts += sender->OnNotification(s, cnp) == ReactionPoint::Reaction::cut ? 1 : 0;
    }
    sender->OnSent(s, kFrame);
    bytes += kFrame;
    if (left == 0 && static_cast<double>(random()) < marked / run * 4294967296.0) left = run;
    if (left == 0) continue;
    --left;
    if (!receiver->OnMarked(n, now)) continue;
    ++j.cnps;
    on_the_way.push_back(now + Microseconds(5));
  }
  j.mean_gbps = static_cast<double>(bytes) * 8 / 100e-3 / 1e9;
  return j;
}

RpParameters Rp(const char* generation) { return FindGeneration(generation)->dcqcn.rp; }
/// The point is as fast as it may be: a NIC's limit matters if it has more than one queue pair.
NpParameters Np(const char* generation) {
  NpParameters np = FindGeneration(generation)->dcqcn.np;
  np.nic_interval = Time{};
  return np;
}

TEST(GenerationsMeet, WithEqualWindowsGen1AndGen2AmongThemselvesAreTheSame) {
  // One CNP in 50 us and a cut for each, or a CNP for each mark and one cut in 50 us: if all CNPs take the
  // same way, cuts and their times are equal.
  for (const uint32_t seed : {1u, 2u, 3u}) {
    for (const double marked : {0.001, 0.01, 0.1}) {
      const Journey gen1 = Travel(Rp("gen1"), Np("gen1"), marked, 1, seed);
      const Journey gen2 = Travel(Rp("gen2"), Np("gen2"), marked, 1, seed);
      EXPECT_GT(gen1.cuts, 50);
      EXPECT_EQ(gen1.cuts, gen2.cuts);
      EXPECT_EQ(gen1.mean_gbps, gen2.mean_gbps);
      EXPECT_EQ(gen1.cnps, gen1.cuts);
      EXPECT_GE(gen2.cnps, gen2.cuts);
    }
  }
}

TEST(GenerationsMeet, Gen1LosesThroughputToAStockGen2AndTheMoreTheSteeperTheMarking) {
  // Each CNP of a run cuts: after four of them alpha, which is near 1 after many cuts, has taken 15/16 of the
  // rate.
  for (const uint32_t seed : {1u, 2u, 3u}) {
    double last = 1;
    for (const int run : {1, 4, 16}) {
      const double fair = Travel(Rp("gen1"), Np("gen1"), 0.01, run, seed).mean_gbps;
      const Journey fed = Travel(Rp("gen1"), Np("gen2"), 0.01, run, seed);
      EXPECT_EQ(fed.cnps, fed.cuts);
      EXPECT_LT(fed.mean_gbps / fair, last - 0.05) << run;
      last = fed.mean_gbps / fair;
    }
    EXPECT_LT(last, 0.5);
  }
}

TEST(GenerationsMeet, OfTheFixEachHalfMakesOneDirectionRightAndBothMakeAllRight) {
  // The notification point's half of the settings is the remedy for gen1's reaction point. The unchanged
  // reaction point still coalesces, and loses CNPs that arrive a little early. With the other half alone, the
  // reaction point cuts for every CNP, as gen1's does, and a stock notification point sends it too many.
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const int run = 16;
    const double fair = Travel(Rp("gen1"), Np("gen1"), 0.01, run, seed).mean_gbps;
    const auto goodput = [&](const char* rp, const char* np) {
      return Travel(Rp(rp), Np(np), 0.01, run, seed).mean_gbps / fair;
    };
    EXPECT_EQ(goodput("gen1", "gen2-interop"), 1);
    EXPECT_LT(goodput("gen2-interop", "gen2"), 0.6);
    EXPECT_NEAR(goodput("gen2-interop", "gen2-interop"), 1, 0.02);
    EXPECT_NEAR(goodput("gen2-interop", "gen1"), 1, 0.02);
    EXPECT_NEAR(goodput("gen2", "gen1"), 1, 0.02);
  }
}

}  // namespace
}  // namespace headroom::generations_meet_test

// The vendor's reaction point: first the defaults of ConnectX adapters step by step, then each parameter.
//
// Each microsecond keeps 1019/1024 of alpha, in units of 1/1024 without remainders: 1023, 1018, 1013, 1008,
// 1003, …
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dcqcn/generations.h"
#include "dcqcn/reaction_point.h"

namespace headroom::vendor_machine_test {
namespace {

using Reaction = ReactionPoint::Reaction;

constexpr Rate kLine = GigabitsPerSecond(40);

RpParameters Defaults() { return FindGeneration("connectx-default")->dcqcn.rp; }

/// One queue pair at 40 Gb/s whose timers run when they are due.
class Flow {
 public:
  explicit Flow(const RpParameters& p = Defaults()) : point(ns3::CreateObject<ReactionPoint>()) {
    point->SetParameters(p);
    state = point->Fresh(kLine);
  }
  void Until(Time t) {
    while (state.NextTimer() <= t) point->OnTimer(state, state.NextTimer());
  }
  Reaction Notify(Time t) {
    while (state.NextTimer() < t) point->OnTimer(state, state.NextTimer());
    return point->OnNotification(state, t);
  }
  /// Rate and target in bit/s at a time.
  std::pair<int64_t, int64_t> At(Time t) {
    Until(t);
    return {state.current.v, state.target.v};
  }
  int64_t RateAt(Time t) { return At(t).first; }

  ns3::Ptr<ReactionPoint> point;
  RpState state;
};

using Pair = std::pair<int64_t, int64_t>;

TEST(VendorMachine, OneCnp) {
  // The first check is 4 us after the CNP. Alpha has fallen from 1023 to 1003: the rate loses 40e9 × 1003 /
  // 2048 = 19 589 843 750. Then each 300 us the rate rises by half of the distance to the target, which
  // stays: it was not clamped, and it is the line rate.
  Flow flow;
  EXPECT_EQ(flow.Notify(Time{}), Reaction::noted);
  EXPECT_EQ(flow.At(Microseconds(4) - Picoseconds(1)), Pair(40'000'000'000, 40'000'000'000));
  EXPECT_EQ(flow.At(Microseconds(4)), Pair(20'410'156'250, 40'000'000'000));
  EXPECT_EQ(flow.RateAt(Microseconds(304) - Picoseconds(1)), 20'410'156'250);
  EXPECT_EQ(flow.RateAt(Microseconds(304)), 30'205'078'125);
  EXPECT_EQ(flow.RateAt(Microseconds(604)), 35'102'539'063);  // …062.5, rounded up
  EXPECT_EQ(flow.RateAt(Microseconds(904)), 37'551'269'532);
  EXPECT_EQ(flow.RateAt(Microseconds(1204)), 38'775'634'766);
  EXPECT_EQ(flow.At(Milliseconds(100)), Pair(kLine.v, kLine.v));
  EXPECT_EQ(flow.state.NextTimer(), kNever);
}

TEST(VendorMachine, TwoCnpsWithoutAnIncreaseBetweenLeaveTheTarget) {
  // The check at 52 us sees the second CNP, at 50 us. Alpha has ticked 45 times more, at 50 us with 5 added,
  // and twice: it is 779. The rate loses 20 410 156 250 × 779 / 2048 = 7 763 433 456. No stage had advanced:
  // the target is 40 Gb/s.
  Flow flow;
  flow.Notify(Time{});
  flow.Notify(Microseconds(50));
  EXPECT_EQ(flow.At(Microseconds(52)), Pair(12'646'722'794, 40'000'000'000));
  EXPECT_EQ(flow.RateAt(Microseconds(352)), 26'323'361'397);
  EXPECT_EQ(flow.RateAt(Microseconds(652)), 33'161'680'699);
}

TEST(VendorMachine, ACutAfterAnIncreaseByTimeClampsTheTargetAndThenItRisesAdditively) {
  // The CNP at 350 us follows the increase at 304 us; its check is at 352 us, alpha is 119: the rate loses 30
  // 205 078 125 × 119 / 2048 = 1 755 080 223, and the old rate is the target. One stage of fast recovery
  // (threshold 1) is followed by 5 Mb/s more each time.
  Flow flow;
  flow.Notify(Time{});
  flow.Notify(Microseconds(350));
  EXPECT_EQ(flow.At(Microseconds(352)), Pair(28'449'997'902, 30'205'078'125));
  EXPECT_EQ(flow.At(Microseconds(652)), Pair(29'327'538'014, 30'205'078'125));
  EXPECT_EQ(flow.At(Microseconds(952)), Pair(29'768'808'070, 30'210'078'125));
  EXPECT_EQ(flow.At(Microseconds(1252)), Pair(29'991'943'098, 30'215'078'125));

  RpParameters p = Defaults();
  p.clamp_after_time_increase = false;
  Flow without(p);
  without.Notify(Time{});
  without.Notify(Microseconds(350));
  EXPECT_EQ(without.At(Microseconds(352)), Pair(28'449'997'902, 40'000'000'000));
}

TEST(VendorMachine, ClampTargetAndAByteStageClampTheTargetToo) {
  RpParameters p = Defaults();
  p.clamp_target = true;
  Flow always(p);
  always.Notify(Time{});
  always.Notify(Microseconds(50));
  EXPECT_EQ(always.At(Microseconds(52)).second, 20'410'156'250);

  Flow bytes;  // 32767 × 64 B = 2 097 088 B
  bytes.Notify(Time{});
  bytes.Until(Microseconds(4));
  EXPECT_FALSE(bytes.point->OnSent(bytes.state, 2'097'087));
  EXPECT_TRUE(bytes.point->OnSent(bytes.state, 1));
  EXPECT_EQ(bytes.state.current.v, 30'205'078'125);
  bytes.Notify(Microseconds(50));
  EXPECT_EQ(bytes.At(Microseconds(52)).second, 30'205'078'125);
}

TEST(VendorMachine, HyperIncreaseOnceBothStagesAreAboveTheThreshold) {
  // Stages (T, B) before each step with threshold 1: (0,0) and (1,0) by time: recovery, then +5; (2,0), (2,1)
  // by bytes: +5 each, because the smaller one is not above 1; (2,2) by bytes: +50.
  RpParameters p = Defaults();
  p.clamp_target = true;
  Flow flow(p);
  flow.Notify(Time{});
  flow.Notify(Microseconds(50));
  const int64_t target = flow.At(Microseconds(52)).second;
  flow.Until(Microseconds(652));
  EXPECT_EQ(flow.state.target.v - target, 5'000'000);
  flow.point->OnSent(flow.state, 2 * 2'097'088);
  EXPECT_EQ(flow.state.target.v - target, 15'000'000);
  flow.point->OnSent(flow.state, 2'097'088);
  EXPECT_EQ(flow.state.target.v - target, 65'000'000);
}

TEST(VendorMachine, AtMostOneCutAPeriodHoweverManyCnps) {
  // CNPs arrive each microsecond from 0 to 40 us: the checks at 4, 8, … 40 us cut, and none after them.
  Flow flow;
  int cuts = 0;
  for (int us = 0; us <= 60; ++us) {
    const Rate before = flow.state.current;
    if (us <= 40) flow.Notify(Microseconds(us));
    flow.Until(Microseconds(us));
    if (flow.state.current != before) {
      ++cuts;
      EXPECT_EQ(us % 4, 0);
    }
  }
  EXPECT_EQ(cuts, 10);
}

TEST(VendorMachine, LeastKeptBoundsACut) {
  // With gd 10 the rate would lose 1003 / 1024; at least 50 % stays, or 75 %.
  RpParameters p = Defaults();
  p.cut_shift = 10;
  Flow half(p);
  half.Notify(Time{});
  EXPECT_EQ(half.RateAt(Microseconds(4)), 20'000'000'000);
  p.least_kept = 75;
  Flow quarter(p);
  quarter.Notify(Time{});
  EXPECT_EQ(quarter.RateAt(Microseconds(4)), 30'000'000'000);
  p.least_kept = 100;
  Flow none(p);
  none.Notify(Time{});
  EXPECT_EQ(none.RateAt(Microseconds(4)), kLine.v);
  EXPECT_EQ(none.state.NextTimer(), kNever);
}

TEST(VendorMachine, RateOnTheFirstCnpTakesTheFirstCutsPlaceOnce) {
  RpParameters p = Defaults();
  p.rate_on_first_cnp = GigabitsPerSecond(10);
  Flow flow(p);
  EXPECT_EQ(flow.Notify(Microseconds(7)), Reaction::cut);
  EXPECT_EQ(flow.At(Microseconds(7)), Pair(10'000'000'000, 10'000'000'000));
  EXPECT_EQ(flow.RateAt(Microseconds(100)), 10'000'000'000);  // no cut follows
  EXPECT_EQ(flow.At(Microseconds(607)), Pair(10'002'500'000, 10'005'000'000));
  EXPECT_EQ(flow.Notify(Milliseconds(50)), Reaction::noted);  // the second CNP cuts as any other
}

TEST(VendorMachine, InitialAlphaIsThatOfTheFirstCnp) {
  // Alpha is 512, 509, 506, 503, 500: the rate loses 40e9 × 500 / 2048 = 9 765 625 000.
  RpParameters p = Defaults();
  p.initial_alpha = 512;
  Flow flow(p);
  flow.Notify(Time{});
  EXPECT_EQ(flow.RateAt(Microseconds(4)), 40'000'000'000 - 9'765'625'000);
}

TEST(VendorMachine, AlphaVanishesAndGrowsByTheFlag) {
  // Each tick keeps 1019/1024 without remainders, so alpha is 0 well before 1 ms. A CNP then adds 5 at the
  // next tick: with the ticks after it alpha is 5, 4, 3, 2, and 1 at the check: 40e9 / 2048.
  Flow flow;
  flow.Notify(Time{});
  flow.Until(Milliseconds(100));
  EXPECT_EQ(flow.state.current, kLine);
  flow.Notify(Milliseconds(200));
  EXPECT_EQ(flow.RateAt(Milliseconds(200) + Microseconds(4)), 40'000'000'000 - 19'531'250);
}

TEST(VendorMachine, NeverBelowTheLeastRateNorAboveTheHighest) {
  Flow flow;
  for (int us = 0; us < 4'000; ++us) flow.Notify(Microseconds(us));
  EXPECT_EQ(flow.state.current, MegabitsPerSecond(1));

  RpParameters p = Defaults();
  p.max_rate = GigabitsPerSecond(25);
  Flow capped(p);
  EXPECT_EQ(capped.state.current, GigabitsPerSecond(25));
  capped.Notify(Time{});
  EXPECT_EQ(capped.At(Milliseconds(100)), Pair(25'000'000'000, 25'000'000'000));
}

}  // namespace
}  // namespace headroom::vendor_machine_test

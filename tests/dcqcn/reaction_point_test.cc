#include "dcqcn/reaction_point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ns3/uinteger.h>

#include <cmath>

#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::reaction_point_test {
namespace {

using testing::ElementsAre;
using Reaction = ReactionPoint::Reaction;

constexpr Rate kLine = GigabitsPerSecond(40);

/// One queue pair at 40 Gb/s whose timers run when they are due.
class Flow {
 public:
  explicit Flow(const RpParameters& p = {}) : point(ns3::CreateObject<ReactionPoint>()) {
    point->SetParameters(p);
    state = point->Fresh(kLine);
  }
  void Until(Time t) {
    while (state.NextTimer() <= t) point->OnTimer(state, state.NextTimer());
    now = t;
  }
  Reaction Notify(Time t) {
    Until(t);
    return point->OnNotification(state, t);
  }
  /// Current rate in Gb/s.
  double Current() const { return static_cast<double>(state.current.v) / 1e9; }
  double Target() const { return static_cast<double>(state.target.v) / 1e9; }
  /// The current rate just after each of the next `n` timer events.
  std::vector<double> Steps(int n) {
    std::vector<double> rates;
    for (int i = 0; i < n; ++i) {
      Until(state.NextTimer());
      rates.push_back(Current());
    }
    return rates;
  }

  ns3::Ptr<ReactionPoint> point;
  RpState state;
  Time now;
};

TEST(ReactionPoint, OneNotification) {
  // A new flow has alpha 1: its rate is halved. Then the distance to the target, 40, is halved every 55 us.
  Flow flow;
  EXPECT_EQ(flow.Notify(Time{}), Reaction::cut);
  EXPECT_EQ(flow.Current(), 20);
  EXPECT_EQ(flow.Target(), 40);
  EXPECT_EQ(flow.state.NextTimer(), Microseconds(55));
  EXPECT_THAT(flow.Steps(5), ElementsAre(30, 35, 37.5, 38.75, 39.375));
  EXPECT_EQ(flow.now, Microseconds(275));
  EXPECT_EQ(flow.Target(), 40);
}

TEST(ReactionPoint, TwoNotificationsTellFiveHalvingsFromFour) {
  // The rate is 20, then 10 with target 20. After five halvings the target rises by 40 Mb/s:
  // (19.6875 + 20.04) / 2 = 19.86375.
  Flow five;
  five.Notify(Time{});
  five.Notify(Microseconds(50));
  EXPECT_EQ(five.Current(), 10);
  EXPECT_EQ(five.Target(), 20);
  EXPECT_THAT(five.Steps(6), ElementsAre(15, 17.5, 18.75, 19.375, 19.6875, 19.86375));
  EXPECT_EQ(five.Target(), 20.04);

  // With F = 4 the fifth step is additive already: (19.375 + 20.04) / 2 = 19.7075.
  RpParameters p;
  p.fast_recovery = 4;
  Flow four(p);
  four.Notify(Time{});
  four.Notify(Microseconds(50));
  EXPECT_THAT(four.Steps(5), ElementsAre(15, 17.5, 18.75, 19.375, 19.7075));
}

/// Alpha at a time after a first notification at 0, computed from the cut by a second one.
double AlphaAfter(Time t) {
  Flow flow;
  flow.Notify(Time{});
  flow.Until(t);
  const double before = flow.Current();
  flow.Notify(t);
  return 2 * (1 - flow.Current() / before);
}

TEST(ReactionPoint, AlphaHalvesInNineAndAThreeQuarterMilliseconds) {
  // Every 55 us alpha is multiplied by 255/256: its half-life is 55 us × ln 2 / ln(256/255) = 9.74 ms. The
  // published values are continuous; a tick changes alpha by less than 0.003 of it here.
  EXPECT_NEAR(AlphaAfter(Microseconds(9'740)), 0.5, 0.003);
  EXPECT_NEAR(AlphaAfter(Milliseconds(1)), 0.931, 0.003);
  EXPECT_NEAR(AlphaAfter(Milliseconds(5)), 0.701, 0.003);
  EXPECT_NEAR(AlphaAfter(Milliseconds(10)), 0.491, 0.003);
  EXPECT_NEAR(AlphaAfter(Milliseconds(20)), 0.241, 0.003);
}

TEST(ReactionPoint, AlphaTicksAfterEachWholePeriodWithoutANotification) {
  // At exactly 55 us the notification precedes the tick; a picosecond later the tick has passed: 255/256.
  EXPECT_DOUBLE_EQ(AlphaAfter(Microseconds(55)), 1);
  EXPECT_NEAR(AlphaAfter(Microseconds(55) + Picoseconds(1)), 255.0 / 256, 1e-9);
  EXPECT_NEAR(AlphaAfter(Microseconds(110) + Picoseconds(1)), std::pow(255.0 / 256, 2), 1e-9);
}

TEST(ReactionPoint, ReduceWindowIgnoresWhatComesTooSoon) {
  RpParameters p;
  p.reduce_window = Microseconds(50);
  Flow flow(p);
  EXPECT_EQ(flow.Notify(Time{}), Reaction::cut);
  EXPECT_EQ(flow.Notify(Microseconds(1)), Reaction::ignored);
  EXPECT_EQ(flow.Notify(Microseconds(50) - Picoseconds(1)), Reaction::ignored);
  EXPECT_EQ(flow.Current(), 20);
  EXPECT_EQ(flow.state.NextTimer(), Microseconds(55));  // an ignored notification restarts no timer
  EXPECT_EQ(flow.Notify(Microseconds(50)), Reaction::cut);
  EXPECT_EQ(flow.Current(), 10);
  EXPECT_EQ(flow.state.NextTimer(), Microseconds(105));
}

TEST(ReactionPoint, NeverFallsBelowTheLeastRate) {
  Flow flow;
  for (int i = 0; i < 50; ++i) flow.Notify(Microseconds(i));
  EXPECT_EQ(flow.state.current, MegabitsPerSecond(10));

  RpParameters p;  // a line that is slower than the least rate keeps its own rate
  Flow slow(p);
  slow.state = slow.point->Fresh(MegabitsPerSecond(5));
  slow.Notify(Time{});
  EXPECT_EQ(slow.state.current, MegabitsPerSecond(5));
}

TEST(ReactionPoint, BytesAdvanceAStageLikeTime) {
  // 10 MB at the reduced rate make one event; the counter starts at the cut.
  RpParameters p;
  p.increase_timer = Seconds(1);
  Flow flow(p);
  EXPECT_FALSE(flow.point->OnSent(flow.state, 9'000'000));  // at line rate no bytes are counted
  flow.Notify(Time{});
  EXPECT_FALSE(flow.point->OnSent(flow.state, 9'999'999));
  EXPECT_EQ(flow.Current(), 20);
  EXPECT_TRUE(flow.point->OnSent(flow.state, 1));
  EXPECT_EQ(flow.Current(), 30);
  EXPECT_FALSE(flow.point->OnSent(flow.state, 5'000'000));
  flow.Notify(Microseconds(10));  // the cut resets the counter: 5 MB are forgotten
  EXPECT_FALSE(flow.point->OnSent(flow.state, 9'999'999));
  EXPECT_TRUE(flow.point->OnSent(flow.state, 1));
}

TEST(ReactionPoint, NoByteCounter) {
  RpParameters p;
  p.byte_counter = Bytes(0);
  Flow flow(p);
  flow.Notify(Time{});
  EXPECT_FALSE(flow.point->OnSent(flow.state, 1'000'000'000'000));
  EXPECT_EQ(flow.Current(), 20);
}

TEST(ReactionPoint, HyperIncreaseOnceBothStagesAreBeyondF) {
  // F = 1; RT 20, RC 10. T and B count in turn; stages (T, B), in Gb/s:
  //   (1,0) RC (10+20)/2 = 15        recovery     (1,1) RC 17.5                      recovery
  //   (2,1) RT 20.04, RC 18.77       additive     (2,2) RT 20.24, RC 19.505          hyper, i = 1
  //   (3,2) RT 20.44, RC 19.9725     hyper, i = 1 (3,3) RT 20.84, RC 20.40625        hyper, i = 2
  RpParameters p;
  p.fast_recovery = 1;
  Flow flow(p);
  flow.Notify(Time{});
  flow.Notify(Time{});
  std::vector<double> rates;
  for (int i = 0; i < 3; ++i) {
    rates.push_back(flow.Steps(1)[0]);
    flow.point->OnSent(flow.state, 10'000'000);
    rates.push_back(flow.Current());
  }
  EXPECT_THAT(rates, ElementsAre(15, 17.5, 18.77, 19.505, 19.9725, 20.40625));
  EXPECT_EQ(flow.Target(), 20.84);
}

TEST(ReactionPoint, BackAtLineRateItRests) {
  Flow flow;
  flow.Notify(Time{});
  flow.Until(Milliseconds(100));
  EXPECT_EQ(flow.state.current, kLine);
  EXPECT_EQ(flow.state.target, kLine);
  EXPECT_EQ(flow.state.NextTimer(), kNever);
  // Bytes sent meanwhile do not count towards the next cut.
  flow.point->OnSent(flow.state, 9'999'999);
  flow.Notify(Milliseconds(200));
  EXPECT_FALSE(flow.point->OnSent(flow.state, 1));
}

TEST(ReactionPoint, Ns3AttributesReachTheRules) {
  InChild([] {
    StartSimulator(1);
    Flow flow;
    flow.point->SetAttribute("IncreaseTimer", ns3::TimeValue(ns3::MicroSeconds(300)));
    flow.point->SetAttribute("MinRate", ns3::UintegerValue(30'000'000'000));
    flow.Notify(Time{});
    EXPECT_EQ(flow.Current(), 30);
    EXPECT_EQ(flow.state.NextTimer(), Microseconds(300));
  });
}

}  // namespace
}  // namespace headroom::reaction_point_test

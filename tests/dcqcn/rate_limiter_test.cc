#include "dcqcn/rate_limiter.h"

#include <gtest/gtest.h>

#include <vector>

namespace headroom::rate_limiter_test {
namespace {

using Granularity = LimiterParameters::Granularity;

constexpr int64_t kWire = 1250;  // 100 ns at 100 Gb/s, 1 us at 10 Gb/s

/// The start times of `n` frames of 1250 B that are always ready, at 100 Gb/s of line and this rate.
std::vector<Time> Starts(const LimiterParameters& p, Rate rate, int n) {
  LimiterState s;
  std::vector<Time> starts;
  Time free;
  for (int i = 0; i < n; ++i) {
    const Time now = std::max(free, s.eligible);
    starts.push_back(now);
    OnFrameStarted(p, s, now, kWire, rate);
    free = now + Nanoseconds(100);
  }
  return starts;
}

TEST(RateLimiter, PacketSpacesSingleFrames) {
  // At 10 Gb/s one frame starts each microsecond, after a new limiter's credit of one frame is spent.
  const auto starts = Starts({Granularity::packet, Bytes()}, GigabitsPerSecond(10), 100);
  for (size_t i = 2; i < starts.size(); ++i) EXPECT_EQ(starts[i] - starts[i - 1], Microseconds(1));
  EXPECT_LE(starts[1] - starts[0], Microseconds(1));
}

TEST(RateLimiter, BurstGoesAtLineRateAndThenWaitsTheDebtOff) {
  // 16 KiB are 14 frames of 1250 B, 17 500 B, which take 1.4 us at line rate; the next burst starts 14 us
  // after this one.
  const auto starts = Starts({Granularity::burst, Kibibytes(16)}, GigabitsPerSecond(10), 140);
  for (size_t i = 1; i < starts.size(); ++i) {
    const Time expected = i % 14 == 0 ? Microseconds(14) - Nanoseconds(1300) : Nanoseconds(100);
    EXPECT_EQ(starts[i] - starts[i - 1], expected) << "frame " << i;
  }
}

TEST(RateLimiter, BothKeepTheAverage) {
  // 10 000 frames at 7 Gb/s take 12.5 MB × 8 / 7 Gb/s = 14.2857 ms, except for a burst.
  for (const Granularity g : {Granularity::packet, Granularity::burst}) {
    const auto starts = Starts({g, Kibibytes(16)}, GigabitsPerSecond(7), 10'000);
    EXPECT_NEAR(InMicroseconds(starts.back() - starts.front()), 14'285.7, 20);
  }
}

TEST(RateLimiter, AtLineRateNothingWaits) {
  for (const Granularity g : {Granularity::packet, Granularity::burst}) {
    const auto starts = Starts({g, Kibibytes(16)}, GigabitsPerSecond(100), 1000);
    for (size_t i = 1; i < starts.size(); ++i) ASSERT_EQ(starts[i] - starts[i - 1], Nanoseconds(100));
  }
}

TEST(RateLimiter, SimulatorForgivesNothingAndCountsWholeNanoseconds) {
  const LimiterParameters p{Granularity::simulator, Bytes()};
  LimiterState s;
  // 1048 B at 95 Gb/s take 88.25 ns.
  OnFrameStarted(p, s, Nanoseconds(10), 1048, GigabitsPerSecond(95));
  EXPECT_EQ(s.eligible, Nanoseconds(98));
  OnFrameStarted(p, s, Nanoseconds(150), 1048, GigabitsPerSecond(95));
  EXPECT_EQ(s.eligible, Nanoseconds(238));
}

TEST(RateLimiter, PacketForgivesOneIntervalOfWaitingForThePortAndNoMore) {
  // Frames are due every microsecond; the third waits 0.4 us for the port, the fourth is on time again. The
  // sixth waits for 10 us: one frame of that is made up for, not ten.
  const LimiterParameters p{Granularity::packet, Bytes()};
  const Rate rate = GigabitsPerSecond(10);
  LimiterState s;
  OnFrameStarted(p, s, Microseconds(100), kWire, rate);
  OnFrameStarted(p, s, Microseconds(100), kWire, rate);
  EXPECT_EQ(s.eligible, Microseconds(101));
  OnFrameStarted(p, s, Nanoseconds(101'400), kWire, rate);
  EXPECT_EQ(s.eligible, Microseconds(102));
  OnFrameStarted(p, s, Microseconds(102), kWire, rate);
  EXPECT_EQ(s.eligible, Microseconds(103));
  OnFrameStarted(p, s, Microseconds(113), kWire, rate);
  EXPECT_EQ(s.eligible, Microseconds(113));
  OnFrameStarted(p, s, Microseconds(113), kWire, rate);
  EXPECT_EQ(s.eligible, Microseconds(114));
}

TEST(RateLimiter, ANewRateHoldsFromTheNextFrameOn) {
  const LimiterParameters p{Granularity::packet, Bytes()};
  LimiterState s;
  OnFrameStarted(p, s, Microseconds(100), kWire, GigabitsPerSecond(10));
  OnFrameStarted(p, s, Microseconds(100), kWire, GigabitsPerSecond(10));
  OnFrameStarted(p, s, Microseconds(101), kWire, GigabitsPerSecond(5));
  EXPECT_EQ(s.eligible, Microseconds(103));
}

}  // namespace
}  // namespace headroom::rate_limiter_test

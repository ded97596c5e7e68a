#include "net/oscillator.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::oscillator_test {
namespace {

constexpr Time kFrame = Picoseconds(88'480);

TEST(Skew, IsZeroWithoutADeviation) {
  EXPECT_EQ(Skew().Stretch(kFrame), kFrame);
  EXPECT_EQ(Skew(OscillatorParameters::Exact(), "h0").Stretch(kFrame), kFrame);
}

TEST(Skew, StaysWithinItsBoundAndDiffersBetweenNodes) {
  InChild([] {
    StartSimulator(1);
    std::set<int16_t> drawn;
    for (int i = 0; i < 200; ++i) {
      const Skew skew({100, Time{}}, "h" + std::to_string(i));
      drawn.insert(skew.v());
      // 100 ppm of a second are 100 us.
      const Time off = skew.Stretch(Seconds(1)) - Seconds(1);
      EXPECT_LE(off, Microseconds(100));
      EXPECT_GE(off, Microseconds(100) * -1);
    }
    EXPECT_GT(drawn.size(), 190u);
    EXPECT_EQ(Skew({100, Time{}}, "h7").v(), Skew({100, Time{}}, "h7").v());
  });
}

TEST(Jitter, DrawsForOneFrameIn21) {
  int draws = 0;
  constexpr int kFrames = 160'000;
  for (int i = 0; i < kFrames; ++i) draws += Jitter::Redraws(kFrame * i, 5);
  EXPECT_NEAR(draws, kFrames * 3 / 64, 400);
}

TEST(Jitter, LagsAreUniformBelowTheFramesTimeAndTheBound) {
  const auto mean = [](Time bound, int64_t most) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < 400'000; ++i) {
      const Time now = kFrame * i;
      if (!Jitter::Redraws(now, 3)) continue;
      const Time lag(Jitter::Drawn(now, 3, kFrame, bound, 0) * Jitter::kUnit);
      EXPECT_LT(lag.v, most);
      sum += static_cast<double>(lag.v);
      ++n;
    }
    return sum / n;
  };
  EXPECT_NEAR(mean(kNever, kFrame.v), 44'240, 700);
  EXPECT_NEAR(mean(Nanoseconds(1), 1000), 448, 10);  // 15 multiples of 64 ps, from 0 to 896 ps
}

TEST(Jitter, LeavesEachFrameAQuarterOfItsTime) {
  constexpr Time kShort = Picoseconds(6'720);
  for (int i = 0; i < 100'000; ++i) {
    const Time now = kFrame * i;
    const uint16_t before = static_cast<uint16_t>(i % 1380);
    for (const Time frame : {kFrame, kShort}) {
      const int64_t after = Jitter::Drawn(now, 3, frame, kNever, before);
      const Time lasts = frame + Time((after - before) * Jitter::kUnit);
      EXPECT_GE(lasts, frame / 4);
      EXPECT_GT(Skew(-32767).Stretch(lasts), Jitter::Least(frame));
    }
  }
}

}  // namespace
}  // namespace headroom::oscillator_test

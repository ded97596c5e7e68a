#include "pfc/headroom_formulas.h"

#include <gtest/gtest.h>

namespace headroom::headroom_formulas_test {
namespace {

TEST(LeastHeadroom, IsTwiceTheCableAPauseAndAFrame) {
  // 2 · 1.5 µs · 12.5 B/ns + 64 + 1086.
  EXPECT_EQ(LeastHeadroom(GigabitsPerSecond(100), Nanoseconds(1500), Bytes(1086)), Bytes(37'500 + 64 + 1086));
}

TEST(IeeeDelayValue, AddsUpItsTerms) {
  // 100 Gb/s, 100 m, frames of 9216 B: 2 · 500 ns · 12.5 B/ns = 12 500; 9216 + 20; 672 bits = 84; 2 · 122 880
  // bits = 30 720; 201 728 bits = 25 216 = 394 quanta of 64 B; 9216 + 20.
  const auto need = IeeeDelayValue(GigabitsPerSecond(100), Nanoseconds(500), Bytes(9216), Bytes(9216));
  ASSERT_TRUE(need);
  EXPECT_EQ(need->cable, Bytes(12'500));
  EXPECT_EQ(need->in_way, Bytes(9'236));
  EXPECT_EQ(need->pause, Bytes(84));
  EXPECT_EQ(need->interface, Bytes(30'720));
  EXPECT_EQ(need->response, Bytes(394 * 64));
  EXPECT_EQ(need->begun, Bytes(9'236));
  EXPECT_EQ(need->Total(), Bytes(12'500 + 9'236 + 84 + 30'720 + 25'216 + 9'236));
  // It is 60 quanta at 10 Gb/s.
  EXPECT_EQ(IeeeDelayValue(GigabitsPerSecond(10), Time(), Bytes(64), Bytes(64))->response, Bytes(60 * 64));
  EXPECT_FALSE(IeeeDelayValue(GigabitsPerSecond(200), Nanoseconds(500), Bytes(9216), Bytes(9216)));
}

TEST(IeeeDelayValue, HasTheResponseAt400GigabitsAndNoInterface) {
  // 100 m: 2 · 500 ns · 50 B/ns = 50 000; 463 360 bits = 905 quanta of 64 B = 57 920; the rest as above.
  const auto need = IeeeDelayValue(GigabitsPerSecond(400), Nanoseconds(500), Bytes(9216), Bytes(9216));
  ASSERT_TRUE(need);
  EXPECT_EQ(need->response, Bytes(905 * 64));
  EXPECT_FALSE(need->interface);
  EXPECT_EQ(need->Total(), Bytes(50'000 + 9'236 + 84 + 57'920 + 9'236));
}

TEST(PaperSwitch, HasTheNumbersOfTheDcqcnPaper) {
  // Trident II: 12 MB, 32 ports, 8 classes, 22.4 KB each: 12 000 000 − 256 · 22 400 = 6 265 600 shared.
  const PaperSwitch trident{.buffer = Bytes(12'000'000), .ports = 32, .headroom = Bytes(22'400)};
  EXPECT_EQ(trident.Shared(), Bytes(6'265'600));
  EXPECT_NEAR(trident.StaticPause(), 24'475, 1);       // / 256; printed: 24.47 KB
  EXPECT_NEAR(trident.EcnBelowStatic(), 765, 1);       // / 32: less than a frame; printed: 0.85 KB
  EXPECT_NEAR(trident.EcnBelowDynamic(8), 21'756, 1);  // · 8/9; printed: 21.75 KB
  EXPECT_NEAR(trident.EcnBelowDynamic(1), 12'238, 1);  // · 1/2
}

}  // namespace
}  // namespace headroom::headroom_formulas_test

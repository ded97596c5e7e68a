#include "pfc/link_headroom.h"

#include <gtest/gtest.h>

namespace headroom {
namespace {

/// Frames of 1024 B payload (1086 with headers), counted without gaps and cells.
LinkHeadroomInput Plain(int64_t gbps, int64_t metres) {
  LinkHeadroomInput in;
  in.rate = GigabitsPerSecond(gbps);
  in.one_way = Nanoseconds(5) * metres;
  in.largest_frame = in.smallest_frame = Bytes(1086);
  in.gap = Bytes(0);
  return in;
}

/// The same with a frame in the way of the pause and the usual response time.
LinkHeadroomInput Busy(int64_t gbps, int64_t metres) {
  LinkHeadroomInput in = Plain(gbps, metres);
  in.reverse_frame = Bytes(1086);
  in.response = UsualPauseResponse(in.rate);
  return in;
}

double Kilo(const LinkHeadroomInput& in) {
  LinkHeadroom need = HeadroomAfterXoff(in);
  need.rounding = Bytes();
  return static_cast<double>(need.Total().v) / 1000;
}

TEST(HeadroomAfterXoff, IdleReverseDirectionAndInstantResponse) {
  // 2·R·d/8 + 64 + 1086:
  EXPECT_NEAR(Kilo(Plain(40, 300)), 16.2, 0.06);   // 15 000 + 1150
  EXPECT_NEAR(Kilo(Plain(100, 300)), 38.7, 0.06);  // 37 500 + 1150
  EXPECT_NEAR(Kilo(Plain(100, 2000)), 251, 0.5);   // 250 000 + 1150
  EXPECT_NEAR(Kilo(Plain(100, 40000)), 5000, 5);   // 5 000 000 + 1150
  EXPECT_NEAR(Kilo(Plain(100, 80000)), 10000, 10);
  EXPECT_NEAR(Kilo(Plain(40, 80000)), 4000, 5);
}

TEST(HeadroomAfterXoff, BusyReverseDirectionAndUsualResponse) {
  // … + 1086 + quanta·64:
  EXPECT_NEAR(Kilo(Busy(40, 300)), 24.8, 0.05);   // 16 150 + 1086 + 118·64 = 24 788
  EXPECT_NEAR(Kilo(Busy(100, 300)), 65.0, 0.06);  // 38 650 + 1086 + 394·64 = 64 952
  EXPECT_NEAR(Kilo(Busy(100, 2000)), 277, 0.5);
  EXPECT_NEAR(Kilo(Busy(100, 40000)), 5030, 5);
}

TEST(HeadroomAfterXoff, NamesItsTerms) {
  LinkHeadroomInput in = Busy(100, 300);
  in.gap = Bytes(20);
  const LinkHeadroom need = HeadroomAfterXoff(in);
  EXPECT_EQ(need.cable, Bytes(37'500));       // 2 · 1.5 us at 12.5 B/ns
  EXPECT_EQ(need.pause_waits, Bytes(1'106));  // 1086 + 20
  EXPECT_EQ(need.pause_frame, Bytes(84));     // 64 + 20
  EXPECT_EQ(need.response, Bytes(25'216));    // 394 · 64
  EXPECT_EQ(need.frame_begun, Bytes(1'086));
  // Wire: 63 906 B = 57.8 frames of 1106 B, so 58 of 1086 B are stored: fewer bytes than passed.
  EXPECT_EQ(need.rounding, Bytes(0));
}

TEST(HeadroomAfterXoff, CellsOfSmallFrames) {
  // Frames of 64 B take 84 B of wire and a cell of 208 B. Wire: 37 500 + 84 = 37 584 B = 447.4, so 448
  // frames: 448 · 208 = 93 184 B; the frame begun 1086 B = 6 cells, 1248 B. Beyond the wire: 93 184 + 1248 −
  // 37 584 − 1086.
  LinkHeadroomInput in = Plain(100, 300);
  in.gap = Bytes(20);
  in.cell = Bytes(208);
  in.smallest_frame = Bytes(64);
  const LinkHeadroom need = HeadroomAfterXoff(in);
  EXPECT_EQ(need.rounding, Bytes(55'762));
  EXPECT_EQ(need.Total(), Bytes(93'184 + 1'248));
}

TEST(HeadroomAfterXoff, AFrameOneByteOverACellCanWasteMore) {
  // From 200 B on: 200 B in a cell of 208 is 208/220 = 0.95 of the wire; 209 B in two is 416/229 = 1.82.
  LinkHeadroomInput in = Plain(100, 300);
  in.gap = Bytes(20);
  in.cell = Bytes(208);
  in.smallest_frame = Bytes(200);
  // 37 584 / 229 = 164.1: 165 · 416 + 1248.
  EXPECT_EQ(HeadroomAfterXoff(in).Total(), Bytes(165 * 416 + 1'248));
}

TEST(UsualPauseResponse, IsTheTableInQuanta) {
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(100)), Picoseconds(394 * 5'120));
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(400)), Picoseconds(905 * 1'280));
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(800)), Picoseconds(905 * 640));
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(30)),
            SerializationTime(Bytes(118 * 64), GigabitsPerSecond(30)));
}

}  // namespace
}  // namespace headroom

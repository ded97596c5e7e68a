#include "pfc/link_headroom.h"

#include <gtest/gtest.h>

namespace headroom::link_headroom_test {
namespace {

/// Frames of 1024 B payload (1086 with headers), without gaps and cells.
LinkHeadroomInput Plain(int64_t gbps, int64_t metres) {
  LinkHeadroomInput in;
  in.rate = GigabitsPerSecond(gbps);
  in.one_way = Nanoseconds(5) * metres;
  in.largest_frame = in.smallest_frame = Bytes(1086);
  in.gap = Bytes(0);
  return in;
}

/// The same with a frame that delays the pause, and the usual response time.
LinkHeadroomInput Busy(int64_t gbps, int64_t metres) {
  LinkHeadroomInput in = Plain(gbps, metres);
  in.reverse_frame = Bytes(1086);
  in.response = UsualPauseResponse(in.rate);
  return in;
}

/// The published value: on the wire, and without the frame over the limit.
double Kilo(const LinkHeadroomInput& in) {
  const LinkHeadroom need = HeadroomAfterXoff(in);
  return static_cast<double>((need.OnWire() - need.over_limit).v) / 1000;
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
  EXPECT_EQ(need.over_limit, Bytes(1'086));
  // Until the peer stops 63 906 B pass, 57.8 frames of 1106 B. So 57 arrive, one has started, and one was
  // over the limit: 59 · 1086 B, which is less than the wire carried.
  EXPECT_EQ(need.Total(), Bytes(59 * 1'086));
  EXPECT_EQ(need.of_largest_frames, Bytes(59 * 1'086));
  EXPECT_EQ(need.rounding, Bytes(59 * 1'086 - 63'906 - 2 * 1'086));
}

TEST(HeadroomAfterXoff, CellsOfSmallFrames) {
  // Frames of 64 B take 84 B of wire and a cell of 208 B. The wire carries 37 500 + 84 = 37 584 B, of which
  // less arrives in complete frames: 37 583 · 208 / 84 = 93 062 B; the frame over the limit and the one that
  // had started, of 1086 B, have 6 cells each, 2496 B. Bytes beyond those of the wire: 93 062 + 2496 − 37 584
  // − 2 · 1086. Large frames: 33 of them (37 584 / 1106 = 33.98) and 2, 35 · 1248.
  LinkHeadroomInput in = Plain(100, 300);
  in.gap = Bytes(20);
  in.cell = Bytes(208);
  in.smallest_frame = Bytes(64);
  const LinkHeadroom need = HeadroomAfterXoff(in);
  EXPECT_EQ(need.rounding, Bytes(55'802));
  EXPECT_EQ(need.Total(), Bytes(93'062 + 2'496));
  EXPECT_EQ(need.of_largest_frames, Bytes(35 * 1'248));
}

TEST(HeadroomAfterXoff, AFrameOneByteOverACellCanWasteMore) {
  // Frames have 200 B or more: 200 B in a cell of 208 take 208/220 = 0.95 of the wire; 209 B in two cells
  // take 416/229 = 1.82.
  LinkHeadroomInput in = Plain(100, 300);
  in.gap = Bytes(20);
  in.cell = Bytes(208);
  in.smallest_frame = Bytes(200);
  // 37 583 · 416 / 229 + 2 · 1248.
  EXPECT_EQ(HeadroomAfterXoff(in).Total(), Bytes(68'273 + 2 * 1'248));
}

TEST(HeadroomAfterXoff, SmallCellsAreFilledBestByLargeFrames) {
  // With cells of 1 B the buffer stores 64/84 of the wire for 64 B frames, and 1086/1106 for 1086 B frames.
  // Other frames fill the rest of 37 583 B: 37 583 · 1086 / 1106, and 2.
  LinkHeadroomInput in = Plain(100, 300);
  in.gap = Bytes(20);
  in.smallest_frame = Bytes(64);
  EXPECT_EQ(HeadroomAfterXoff(in).Total(), Bytes(36'903 + 2 * 1'086));
}

TEST(HeadroomAfterXoff, WhatComesForSureIsLessByTheFrameOverTheLimitAndTheOneInTheWay) {
  // 100 m, 1106 B a frame: 12 500 + 84 + 25 216 = 37 800 B pass, 34.2 frames, and one more has started.
  LinkHeadroomInput in = Busy(100, 100);
  in.gap = Bytes(20);
  const LinkHeadroom need = HeadroomAfterXoff(in);
  EXPECT_EQ(need.for_sure, Bytes(35 * 1'086));
  EXPECT_EQ(need.of_largest_frames, Bytes(37 * 1'086));
}

TEST(UsualPauseResponse, IsTheTableInQuanta) {
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(100)), Picoseconds(394 * 5'120));
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(400)), Picoseconds(905 * 1'280));
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(800)), Picoseconds(905 * 640));
  EXPECT_EQ(UsualPauseResponse(GigabitsPerSecond(30)),
            SerializationTime(Bytes(118 * 64), GigabitsPerSecond(30)));
}

}  // namespace
}  // namespace headroom::link_headroom_test

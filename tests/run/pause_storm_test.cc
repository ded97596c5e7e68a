// Storms of pauses in complete runs.
#include <gtest/gtest.h>

#include "run/fault_star.h"

namespace headroom::pause_storm_test {
namespace {

TEST(PauseStorm, pauses_from_start_to_stop_without_a_hole) {
  InChild([] {
    Scenario s = Star();
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(3))};
    const RunRecord r = Checked(s);
    const auto pauses = PausesAt(r, kSwitch, 2);
    ASSERT_EQ(pauses.size(), 1u);
    // A pause follows at most one frame at either end: 1106 B and 84 B at 100 Gb/s, and 15 ns.
    EXPECT_NEAR(InMicroseconds(pauses[0]->start), 1000, 0.2);
    EXPECT_NEAR(InMicroseconds(pauses[0]->end), 3000, 0.2);
    // 65535 quanta are 335.5 µs, with a frame every 167.8: at 1.0, 1.17, … 2.85 ms and the resume.
    EXPECT_EQ(At(r, 2, 0).pause_frames_tx, 12u);
    EXPECT_EQ(At(r, 2, 0).resume_frames_tx, 1u);
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).time, Milliseconds(1));
    EXPECT_EQ(EventsOf(r, "fault_stop").at(0).time, Milliseconds(3));
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).priority, 3);
    EXPECT_EQ(AllDrops(r), 0u);
    EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
  });
}

TEST(PauseStorm, two_at_the_same_time_are_one_pause) {
  InChild([] {
    Scenario s = Star();
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(3)),
                StormFrom(2, Milliseconds(2), Milliseconds(4))};
    const RunRecord r = Checked(s);
    std::vector<PauseRecord> sent;
    std::ranges::copy_if(r.pauses, std::back_inserter(sent), [](const PauseRecord& p) {
      return p.node == 2 && p.direction == PauseRecord::Direction::tx;
    });
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].start, Milliseconds(1));
    EXPECT_EQ(sent[0].end, Milliseconds(4));
    EXPECT_EQ(At(r, 2, 0).paused_tx, At(r, kSwitch, 2).paused_rx);
    // The end of the first storm resumes the switch until the second one's next frame.
    EXPECT_NEAR(InMicroseconds(At(r, 2, 0).paused_tx), 2993.4, 0.2);
  });
}

TEST(PauseStorm, one_that_is_not_resumed_runs_out) {
  InChild([] {
    Scenario s = Star();
    PauseStormFault storm = StormFrom(2, Milliseconds(1), Milliseconds(1) + Microseconds(500));
    storm.storm.xon = false;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    // Frames at 1.0, 1.168 and 1.336 ms; the last pauses for 335.5 µs.
    EXPECT_EQ(At(r, 2, 0).pause_frames_tx, 3u);
    EXPECT_EQ(At(r, 2, 0).resume_frames_tx, 0u);
    EXPECT_NEAR(InMicroseconds(PausesAt(r, kSwitch, 2).at(0)->end), 1000 + 2 * 167.77 + 335.54, 0.3);
    // The time that the switch stood still, beyond the end of the storm.
    EXPECT_NEAR(InMicroseconds(At(r, 2, 0).paused_tx), 2 * 167.77 + 335.54, 0.3);
  });
}

TEST(PauseStorm, throughput_falls_with_the_quanta) {
  // P9: a frame every 100 µs pauses for 0, 20, 40 or 60 µs of them: 512 bit times are 5.12 ns.
  std::vector<double> gbps;
  for (const int quanta : {0, 3906, 7812, 11719}) {
    gbps.push_back(std::stod(TextFromChild([quanta] {
      Scenario s = StormStar(4, {});
      s.duration = s.deadline = Milliseconds(4);
      s.workloads = {Flow("full", 0, 2, Time{}, 1, Bytes(100'000'000))};
      PauseStormFault storm = StormFrom(2, Time{}, Milliseconds(4));
      storm.storm.quanta = static_cast<uint16_t>(quanta);
      storm.storm.interval = Microseconds(100);
      s.faults = {storm};
      const RunRecord r = Checked(s);
      return std::to_string(static_cast<double>(At(r, 2, 0).rx_bytes) * 8 / 4e-3 / 1e9);
    })));
  }
  // 1086 of 1106 bytes on the wire belong to the frame: 98.2 Gb/s without pauses.
  EXPECT_NEAR(gbps[0], 98.2, 0.5);
  EXPECT_NEAR(gbps[1], 98.2 * 0.8, 1);
  EXPECT_NEAR(gbps[2], 98.2 * 0.6, 1);
  EXPECT_NEAR(gbps[3], 98.2 * 0.4, 1);
}

TEST(PauseStorm, pauses_that_name_no_priority_are_ignored) {
  // P3: PAUSE of 802.3, and PFC whose class-enable bits are not set.
  for (const auto frames : {PauseStormParameters::Frames::global, PauseStormParameters::Frames::disabled}) {
    InChild([frames] {
      Scenario s = Star();
      PauseStormFault storm = StormFrom(2, Milliseconds(1), Milliseconds(5));
      storm.storm.frames = frames;
      s.faults = {storm};
      const RunRecord r = Checked(s);
      EXPECT_TRUE(r.pauses.empty());
      for (const MessageRecord& m : r.messages) EXPECT_LT(m.completed - m.start, Microseconds(60));
    });
  }
}

TEST(PauseStorm, a_priority_without_traffic_is_paused_alone) {
  InChild([] {
    Scenario s = Star();
    PauseStormFault storm = StormFrom(2, Milliseconds(1), Milliseconds(5));
    storm.storm.priorities = 1u << 4;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    // Only the sender records the storm: the switch has no PFC for a priority without a class.
    EXPECT_EQ(r.pauses.size(), 1u);
    for (const MessageRecord& m : r.messages) EXPECT_LT(m.completed - m.start, Microseconds(60));
  });
}

TEST(PauseStorm, of_a_switch_port_holds_its_neighbour) {
  // The switch sends no PFC of its own meanwhile: a resume would end the storm.
  InChild([] {
    Scenario s = Star();
    PauseStormFault storm = StormFrom(kSwitch, Milliseconds(1), Milliseconds(3));
    storm.port = 0;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    const auto pauses = PausesAt(r, 0, 0);
    ASSERT_EQ(pauses.size(), 1u);
    EXPECT_NEAR(InMicroseconds(pauses[0]->end - pauses[0]->start), 2000, 0.3);
    EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
  });
}

}  // namespace
}  // namespace headroom::pause_storm_test

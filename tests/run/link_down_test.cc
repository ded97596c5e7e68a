// Links that go down and come up again, in complete runs.
#include <gtest/gtest.h>

#include "run/fault_star.h"

namespace headroom::link_down_test {
namespace {

TEST(LinkDown, what_is_on_the_way_is_lost_and_nothing_else_goes) {
  // There are 100 µs of fibre to h2: at 1 ms 100 µs × 20 Gb/s are on the way, and none at 1.05 when the link
  // is up again.
  InChild([] {
    Scenario s = Star();
    s.topology.links[2].spec.delay = Microseconds(100);
    const LinkDownFault down = Down(2, kSwitch, Milliseconds(1) + Microseconds(7), Microseconds(1050));
    s.faults = {down};
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(500);
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).time, down.times.start);
    EXPECT_EQ(EventsOf(r, "fault_stop").at(0).time, down.times.stop);
    // A message has 245 packets. The message of 0.9 ms has lost as many as had not arrived, and the next as
    // many as had left.
    EXPECT_NEAR(static_cast<double>(Drops(At(r, 2, 0), DropReason::link_loss)), 245, 3);
    EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
    EXPECT_EQ(Finished(r, 1), std::pair(50, 50));
    EXPECT_EQ(Drops(At(r, 3, 0), DropReason::link_loss), 0u);
  });
}

TEST(LinkDown, resets_the_pauses_of_both_ends) {
  InChild([] {
    Scenario s = Star();
    const LinkDownFault down = Down(kSwitch, 2, Milliseconds(2), Microseconds(2001));
    PauseStormFault storm = StormFrom(2, Milliseconds(1), Milliseconds(9));
    storm.storm.interval = Milliseconds(20);  // one frame of 335 µs
    s.faults = {storm, down};
    PauseStormFault late = storm;
    late.times.start = Microseconds(1990);
    s.faults = {late, down};
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(500);
    const RunRecord r = Checked(s);
    ASSERT_EQ(PausesAt(r, kSwitch, 2).size(), 1u);
    EXPECT_EQ(PausesAt(r, kSwitch, 2)[0]->end, Milliseconds(2));
  });
}

TEST(LinkDown, a_paused_neighbour_is_paused_again_when_the_link_is_up) {
  // h0 is paused because of h2, a host with a blocked port. Its link goes down for 10 µs: the group is still
  // XOFF.
  InChild([] {
    Scenario s = StormStar(4, {});
    s.duration = s.deadline = Milliseconds(4);
    s.workloads = {Flow("full", 0, 2, Time{}, 1, Bytes(40'000'000))};
    s.faults = {Blocked(Time{}, Milliseconds(2)), Down(0, kSwitch, Milliseconds(1), Microseconds(1010))};
    const RunRecord r = Checked(s);
    const auto pauses = PausesAt(r, 0, 0);
    ASSERT_GE(pauses.size(), 2u);
    EXPECT_EQ(pauses[0]->end, Milliseconds(1));
    EXPECT_NEAR(InMicroseconds(pauses[1]->start), 1010, 0.2);
    EXPECT_EQ(Drops(At(r, kSwitch, 0), DropReason::headroom_full), 0u);
    EXPECT_EQ(Drops(At(r, kSwitch, 0), DropReason::group_cap), 0u);
  });
}

/// Two leaves and two spines: four hosts send across.
Scenario Fabric(Time convergence) {
  Scenario s = ScenarioOf(BuildLeafSpine(2, 2, 4, kStormLink, kStormLink));
  s.duration = Milliseconds(2);
  s.deadline = Milliseconds(20);
  for (NicParameters& nic : s.nics) {
    nic.congestion_control = NicParameters::CongestionControl::none;
    nic.transport.rto = Microseconds(300);
  }
  for (NodeId h = 0; h < 4; ++h)
    s.workloads.push_back(Flow("f" + std::to_string(h), h, 4 + h, Microseconds(50), 40, Bytes(60'000)));
  LinkDownFault down = Down(8, 10, Microseconds(500), Microseconds(1000));
  down.convergence = convergence;
  s.faults = {down};
  return s;
}

TEST(LinkDown, routes_leave_out_the_dead_link) {
  InChild([] {
    const RunRecord r = Checked(Fabric(Time{}));
    EXPECT_EQ(r.status, RunStatus::complete);
    // The frames that were queued or on the way at 500 µs, and no others.
    EXPECT_LT(AllDrops(r), 200u);
    for (const MessageRecord& m : r.messages) {
      if (m.start > Microseconds(600) && m.start < Microseconds(950)) {
        EXPECT_LT(m.completed - m.start, Microseconds(100));
        EXPECT_EQ(m.retransmitted_packets, 0u);
      }
    }
    EXPECT_GT(At(r, 10, 0).rx_packets, 1000u);  // before the fault and after it
  });
}

TEST(LinkDown, until_they_do_frames_die_at_it) {
  const auto drops = [](Time convergence) {
    return std::stoi(TextFromChild([convergence] {
      const RunRecord r = Checked(Fabric(convergence));
      EXPECT_EQ(Drops(At(r, 8, 4), DropReason::link_loss) + Drops(At(r, 8, 5), DropReason::link_loss) +
                    Drops(At(r, 10, 0), DropReason::link_loss) + Drops(At(r, 8, 0), DropReason::link_loss) +
                    Drops(At(r, 10, 1), DropReason::link_loss),
                AllDrops(r));
      return std::to_string(AllDrops(r));
    }));
  };
  const int at_once = drops(Time{}), late = drops(Microseconds(200)), never = drops(kNever);
  EXPECT_LT(at_once + 100, late);
  EXPECT_LT(late, never);
}

}  // namespace
}  // namespace headroom::link_down_test

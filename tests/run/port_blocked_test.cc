// Ports that send no data, in complete runs.
#include <gtest/gtest.h>

#include "run/fault_star.h"

namespace headroom::port_blocked_test {
namespace {

TEST(PortBlocked, sends_nothing_but_pfc) {
  // h0's port is closed from 1 to 2 ms, while h2, with 40 of 100 Gb/s, fills the switch: PFC frames still
  // leave.
  InChild([] {
    Scenario s = Star();
    const PortBlockedFault blocked = Blocked(Milliseconds(1), Milliseconds(2));
    PauseStormFault storm = StormFrom(kSwitch, Microseconds(1200), Microseconds(1400));
    storm.port = 2;
    s.faults = {blocked, storm};
    const RunRecord r = Checked(s);
    for (const MessageRecord& m : r.messages) {
      if (m.workload != 0) {
        EXPECT_LT(m.completed - m.start, Microseconds(60));
      } else if (m.start >= Milliseconds(1) && m.start < Milliseconds(2)) {
        EXPECT_GT(m.completed, Milliseconds(2));
      }
    }
    EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
    EXPECT_EQ(At(r, kSwitch, 2).pause_frames_tx, 2u);
    EXPECT_EQ(PausesAt(r, 2, 0).size(), 1u);
  });
}

TEST(PortBlocked, one_priority_alone) {
  InChild([] {
    Scenario s = Star();
    s.workloads.push_back(Flow("lossy", 0, 2, kEvery, 50, Bytes(10'000), 0));
    PortBlockedFault blocked = Blocked(Milliseconds(1), Milliseconds(2));
    blocked.priorities = 1u << 3;
    s.faults = {blocked};
    const RunRecord r = Checked(s);
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 2) {
        EXPECT_LT(m.completed - m.start, Microseconds(60));
      }
    }
  });
}

TEST(PortBlocked, two_that_overlap_hold_until_the_later_ends) {
  InChild([] {
    Scenario s = Star();
    s.faults = {Blocked(Milliseconds(1), Milliseconds(2)), Blocked(Microseconds(1500), Milliseconds(3))};
    const RunRecord r = Checked(s);
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start >= Milliseconds(1) && m.start < Milliseconds(3)) {
        EXPECT_GT(m.completed, Milliseconds(3));
      }
    }
  });
}

}  // namespace
}  // namespace headroom::port_blocked_test

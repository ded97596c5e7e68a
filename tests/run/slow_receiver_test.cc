// A host that takes in frames more slowly than they arrive, in complete runs.
#include <gtest/gtest.h>

#include "run/fault_star.h"

namespace headroom::slow_receiver_test {
namespace {

/// h0 sends at line rate to h2, which takes in 40 Gb/s.
Scenario Slow(Bytes size = Bytes(1'048'576)) {
  Scenario s = StormStar(4, {});
  s.duration = s.deadline = Milliseconds(4);
  s.workloads = {Flow("full", 0, 2, Time{}, 1, Bytes(10'000'000)), Flow("other", 1, 3, kEvery, 30, kMessage)};
  s.nics[2].rx_buffer = RxBufferParameters{size, Bytes(262'144), Bytes(131'072)};
  SlowReceiverFault slow;
  slow.host = 2;
  slow.rate = GigabitsPerSecond(40);
  s.faults = {slow};
  return s;
}

TEST(SlowReceiver, pauses_its_switch_and_loses_nothing) {
  InChild([] {
    const RunRecord r = Checked(Slow());
    EXPECT_EQ(AllDrops(r), 0u);
    EXPECT_EQ(Finished(r, 0), std::pair(1, 1));
    EXPECT_EQ(Finished(r, 1), std::pair(30, 30));
    EXPECT_GT(At(r, 2, 0).pauses_tx, 5u);
    EXPECT_GT(At(r, kSwitch, 2).pauses_rx, 5u);
    // 10 MB are 9766 frames of 1086 B at 40 Gb/s: 2.121 ms.
    EXPECT_NEAR(InMicroseconds(r.messages[0].delivered), 9766 * 1086 * 8 / 40e3, 5);
  });
}

TEST(SlowReceiver, pauses_with_the_quanta_and_the_refresh_of_its_switch) {
  // 1000 quanta are 5.12 us. Each pause lasts as long as 131072 B take at 40 Gb/s: 26.2 us.
  InChild([] {
    Scenario s = Slow();
    s.switches[0].pfc.quanta = 1000;
    s.switches[0].pfc.refresh = Microseconds(2);
    const RunRecord r = Checked(s);
    int pauses = 0;
    for (const PauseRecord& p : r.pauses) {
      if (p.node != 2 || p.direction != PauseRecord::Direction::tx) continue;
      ++pauses;
      EXPECT_EQ(p.refreshes, static_cast<uint32_t>((p.end - p.start) / Microseconds(2)));
      EXPECT_GE(p.refreshes, 12u);
    }
    EXPECT_GT(pauses, 5);
  });
}

TEST(SlowReceiver, whose_pauses_are_repeated_too_late_lets_its_switch_send_in_between) {
  // The pause covers 5.12 us of each 10.
  InChild([] {
    Scenario s = Slow();
    s.switches[0].pfc.quanta = 1000;
    s.switches[0].pfc.refresh = Microseconds(10);
    const RunRecord r = Checked(s);
    Time longest;
    for (const PauseRecord& p : r.pauses) {
      if (p.direction == PauseRecord::Direction::rx && p.end != kNever)
        longest = std::max(longest, p.end - p.start);
    }
    EXPECT_EQ(longest, Nanoseconds(5'120));
  });
}

TEST(SlowReceiver, that_keeps_up_again_is_as_before) {
  InChild([] {
    Scenario s = Slow();
    std::get<SlowReceiverFault>(s.faults[0]).times.stop = Microseconds(500);
    const RunRecord r = Checked(s);
    EXPECT_EQ(Finished(r, 0), std::pair(1, 1));
    // 0.5 ms at 40 Gb/s are 2.5 of 10.6 MB; then the rest has 98.2 Gb/s, except for the bytes in the NIC,
    // which it takes in meanwhile: between xon and slightly more than xoff.
    const double after = InMicroseconds(r.messages[0].delivered) - 500;
    EXPECT_LT(after, (9766 * 1086 - 2.5e6 - 0.12e6) * 8 / 98.2e3);
    EXPECT_GT(after, (9766 * 1086 - 2.5e6 - 0.3e6) * 8 / 98.2e3);
    EXPECT_EQ(AllDrops(r), 0u);
  });
}

TEST(SlowReceiver, without_room_above_xoff_loses_what_is_on_the_way) {
  InChild([] {
    Scenario s = Slow(Bytes(262'200));
    s.deadline = Milliseconds(40);
    s.nics[0].transport.rto = Milliseconds(1);
    const RunRecord r = Checked(s);
    EXPECT_GT(Drops(At(r, 2, 0), DropReason::buffer_full), 0u);
    EXPECT_EQ(Finished(r, 0), std::pair(1, 1));
  });
}

}  // namespace
}  // namespace headroom::slow_receiver_test

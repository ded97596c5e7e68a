// Faults in whole runs: what each does, from when to when, and that bytes add up under it.
#include <gtest/gtest.h>

#include "run/busy.h"
#include "run/record_text.h"
#include "run/storms.h"

namespace headroom {
namespace {

constexpr NodeId kSwitch = 4;
const Time kEvery = Microseconds(100);
const Bytes kMessage(250'000);  // 20 Gb/s where one comes every 100 µs

Scenario Star(int count = 50) {
  Scenario s = StormStar(4, {});
  s.duration = s.deadline = Milliseconds(10);
  s.workloads = {Flow("a", 0, 2, kEvery, count, kMessage), Flow("other", 1, 3, kEvery, count, kMessage)};
  return s;
}

std::vector<const PauseRecord*> PausesAt(const RunRecord& r, NodeId node, uint16_t port) {
  std::vector<const PauseRecord*> found;
  for (const PauseRecord& p : r.pauses) {
    if (p.node == node && p.port == port && p.direction == PauseRecord::Direction::rx) found.push_back(&p);
  }
  return found;
}

TEST(PauseStorm, pauses_from_start_to_stop_without_a_hole) {
  InChild([] {
    Scenario s = Star();
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(3))};
    const RunRecord r = Checked(s);
    const auto pauses = PausesAt(r, kSwitch, 2);
    ASSERT_EQ(pauses.size(), 1u);
    // Behind at most a frame at either end: 1106 B and 84 B at 100 Gb/s, 15 ns.
    EXPECT_NEAR(InMicroseconds(pauses[0]->start), 1000, 0.2);
    EXPECT_NEAR(InMicroseconds(pauses[0]->end), 3000, 0.2);
    // 65535 quanta are 335.5 µs; a frame every 167.8: at 1.0, 1.17, … 2.85 ms and the resume.
    EXPECT_EQ(At(r, 2, 0).pause_frames_tx, 12u);
    EXPECT_EQ(At(r, 2, 0).resume_frames_tx, 1u);
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).time, Milliseconds(1));
    EXPECT_EQ(EventsOf(r, "fault_stop").at(0).time, Milliseconds(3));
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).priority, 3);
    EXPECT_EQ(AllDrops(r), 0u);
    EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
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
  // 1086 of 1106 bytes on the wire are the frame's: 98.2 Gb/s unpaused.
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
    // The storm is on record at its sender alone: the switch has no PFC for a priority without a class.
    EXPECT_EQ(r.pauses.size(), 1u);
    for (const MessageRecord& m : r.messages) EXPECT_LT(m.completed - m.start, Microseconds(60));
  });
}

TEST(PauseStorm, of_a_switch_port_holds_its_neighbour) {
  // And what the switch itself would say meanwhile is not said: a resume would end the storm.
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

TEST(PortBlocked, sends_nothing_but_pfc) {
  // h0's port is closed from 1 to 2 ms, while h2, at 40 Gb/s of 100, fills the switch: PFC still goes out.
  InChild([] {
    Scenario s = Star();
    PortBlockedFault blocked;
    blocked.node = kSwitch;
    blocked.port = 2;
    blocked.times.start = Milliseconds(1);
    blocked.times.stop = Milliseconds(2);
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
    PortBlockedFault blocked;
    blocked.node = kSwitch;
    blocked.port = 2;
    blocked.priorities = 1u << 3;
    blocked.times.start = Milliseconds(1);
    blocked.times.stop = Milliseconds(2);
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
    PortBlockedFault blocked;
    blocked.node = kSwitch;
    blocked.port = 2;
    blocked.times.start = Milliseconds(1);
    blocked.times.stop = Milliseconds(2);
    PortBlockedFault longer = blocked;
    longer.times.start = Microseconds(1500);
    longer.times.stop = Milliseconds(3);
    s.faults = {blocked, longer};
    const RunRecord r = Checked(s);
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start >= Milliseconds(1) && m.start < Milliseconds(3)) {
        EXPECT_GT(m.completed, Milliseconds(3));
      }
    }
  });
}

/// h0 sends at line rate to h2, which takes out 40 Gb/s.
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

TEST(SlowReceiver, that_keeps_up_again_is_as_before) {
  InChild([] {
    Scenario s = Slow();
    std::get<SlowReceiverFault>(s.faults[0]).times.stop = Microseconds(500);
    const RunRecord r = Checked(s);
    EXPECT_EQ(Finished(r, 0), std::pair(1, 1));
    // 0.5 ms at 40 Gb/s, 2.5 of 10.6 MB; then the rest at 98.2 Gb/s, but for what waits in the NIC, which
    // takes that in besides: between xon and a bit over xoff.
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

TEST(LinkDown, what_is_on_the_way_is_lost_and_nothing_else_goes) {
  // 100 µs of fibre to h2: at 1 ms there are 100 µs × 20 Gb/s on the way, and none at 1.05 when it is up
  // again.
  InChild([] {
    Scenario s = Star();
    s.topology.links[2].spec.delay = Microseconds(100);
    LinkDownFault down;
    down.a = 2;
    down.b = kSwitch;
    down.times.start = Milliseconds(1) + Microseconds(7);
    down.times.stop = Microseconds(1050);
    s.faults = {down};
    for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(500);
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "fault_start").at(0).time, down.times.start);
    EXPECT_EQ(EventsOf(r, "fault_stop").at(0).time, down.times.stop);
    // A message has 245 packets. Of the one of 0.9 ms as many have arrived as of the next have set out.
    EXPECT_NEAR(static_cast<double>(Drops(At(r, 2, 0), DropReason::link_loss)), 245, 3);
    EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
    EXPECT_EQ(Finished(r, 1), std::pair(50, 50));
    EXPECT_EQ(Drops(At(r, 3, 0), DropReason::link_loss), 0u);
  });
}

TEST(LinkDown, resets_the_pauses_of_both_ends) {
  InChild([] {
    Scenario s = Star();
    LinkDownFault down;
    down.a = kSwitch;
    down.b = 2;
    down.times.start = Milliseconds(2);
    down.times.stop = Microseconds(2001);
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
  // h0 is paused for h2's sake, whose port is blocked. Its link goes down for 10 µs: the group is XOFF still.
  InChild([] {
    Scenario s = StormStar(4, {});
    s.duration = s.deadline = Milliseconds(4);
    s.workloads = {Flow("full", 0, 2, Time{}, 1, Bytes(40'000'000))};
    PortBlockedFault blocked;
    blocked.node = kSwitch;
    blocked.port = 2;
    blocked.times.stop = Milliseconds(2);
    LinkDownFault down;
    down.a = 0;
    down.b = kSwitch;
    down.times.start = Milliseconds(1);
    down.times.stop = Microseconds(1010);
    s.faults = {blocked, down};
    const RunRecord r = Checked(s);
    const auto pauses = PausesAt(r, 0, 0);
    ASSERT_GE(pauses.size(), 2u);
    EXPECT_EQ(pauses[0]->end, Milliseconds(1));
    EXPECT_NEAR(InMicroseconds(pauses[1]->start), 1010, 0.2);
    EXPECT_EQ(Drops(At(r, kSwitch, 0), DropReason::headroom_full), 0u);
    EXPECT_EQ(Drops(At(r, kSwitch, 0), DropReason::group_cap), 0u);
  });
}

/// Two leaves with two spines: four hosts send across.
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
  LinkDownFault down;
  down.a = 8;
  down.b = 10;
  down.convergence = convergence;
  down.times.start = Microseconds(500);
  down.times.stop = Microseconds(1000);
  s.faults = {down};
  return s;
}

TEST(LinkDown, routes_leave_out_the_dead_link) {
  InChild([] {
    const RunRecord r = Checked(Fabric(Time{}));
    EXPECT_EQ(r.status, RunStatus::complete);
    // What was queued or on the way at 500 µs, and no more.
    EXPECT_LT(AllDrops(r), 200u);
    for (const MessageRecord& m : r.messages) {
      if (m.start > Microseconds(600) && m.start < Microseconds(950)) {
        EXPECT_LT(m.completed - m.start, Microseconds(100));
        EXPECT_EQ(m.retransmitted_packets, 0u);
      }
    }
    EXPECT_GT(At(r, 10, 0).rx_packets, 1000u);  // before and after
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

TEST(TimedLoss, is_lost_between_start_and_stop_with_numbers_of_its_own) {
  const auto text = [](double probability) {
    return TextFromChild([probability] {
      Scenario s = Star();
      for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(300);
      LossFault loss{0, kSwitch, probability, {}};
      loss.times.start = Milliseconds(1);
      loss.times.stop = Milliseconds(2);
      LossFault always{1, kSwitch, 0.01, {}};
      s.faults = {loss, always};
      const RunRecord r = Checked(s);
      for (const MessageRecord& m : r.messages) {
        if (m.workload == 0 && m.start < Microseconds(900)) {
          EXPECT_EQ(m.retransmitted_packets, 0u);
        }
      }
      EXPECT_EQ(Finished(r, 0), std::pair(50, 50));
      EXPECT_GT(Drops(At(r, kSwitch, 0), DropReason::link_loss), 5u);
      std::string others;
      for (const MessageRecord& m : r.messages) {
        if (m.workload == 1) others += std::to_string(m.completed.v) + " ";
      }
      return others;
    });
  };
  // Another link's losses are the same, whatever happens here.
  EXPECT_EQ(text(0.01), text(0.05));
}

/// h0 and h1 send to h2 at line rate, so that the switch pauses them; h0's link has MACsec.
Scenario Macsec(bool encrypts, bool expects) {
  Scenario s = StormStar(4, {});
  s.duration = s.deadline = Milliseconds(10);
  s.workloads = {Flow("a", 0, 2, Time{}, 1, Bytes(30'000'000)),
                 Flow("b", 1, 2, Time{}, 1, Bytes(30'000'000))};
  for (NicParameters& nic : s.nics) nic.transport.rto = Microseconds(300);
  MacsecFault macsec;
  macsec.a = kSwitch;
  macsec.b = 0;
  macsec.a_encrypts = encrypts;
  macsec.b_expects = expects;
  s.faults = {macsec};
  return s;
}

TEST(Macsec, pauses_that_cannot_be_read_are_corrupt_and_have_no_effect) {
  InChild([] {
    const RunRecord r = Checked(Macsec(true, false));
    EXPECT_GT(Drops(At(r, 0, 0), DropReason::corrupt), 0u);
    EXPECT_EQ(Drops(At(r, 0, 0), DropReason::corrupt),
              At(r, kSwitch, 0).pause_frames_tx + At(r, kSwitch, 0).resume_frames_tx);
    EXPECT_TRUE(PausesAt(r, 0, 0).empty());
    EXPECT_FALSE(PausesAt(r, 1, 0).empty());
    EXPECT_GT(Drops(At(r, kSwitch, 0), DropReason::group_cap), 0u);  // its headroom overflows
    EXPECT_EQ(Drops(At(r, kSwitch, 1), DropReason::group_cap), 0u);
  });
}

TEST(Macsec, alike_at_both_ends_it_changes_nothing) {
  const auto messages = [](const Scenario& s) {
    return TextFromChild([&s] {
      const RunRecord r = Checked(s);
      return MessagesText(r) + PausesText(r);
    });
  };
  Scenario without = Macsec(false, false);
  without.faults.clear();
  ExpectSameText(messages(Macsec(true, true)), messages(without));
  ExpectSameText(messages(Macsec(false, false)), messages(without));
}

TEST(Faults, leave_accounts_in_order_and_results_to_the_seed) {
  // The small network with a bit of everything, and every fault at once.
  Scenario s = Busy();
  s.deadline = Milliseconds(20);
  WatchdogParameters w = Watchdog();
  w.detection = Microseconds(40);
  w.restoration = Microseconds(40);
  w.poll = Microseconds(10);
  for (SwitchParameters& sw : s.switches) sw.pfc.watchdogs = {w};
  s.nics[3].watchdogs = {w};
  PauseStormFault storm = StormFrom(7, Microseconds(30), Microseconds(120));
  storm.storm.interval = Microseconds(5);
  storm.times.every = Microseconds(150);
  storm.times.count = 3;
  PauseStormFault other = StormFrom(8, Microseconds(60), Microseconds(160));
  other.port = 3;
  other.storm.interval = Microseconds(5);
  LinkDownFault down;
  down.a = 9;
  down.b = 10;
  down.times = {Microseconds(80), Microseconds(140), Microseconds(100), 2};
  down.convergence = Microseconds(20);
  PortBlockedFault blocked;
  blocked.node = 8;
  blocked.port = 5;
  blocked.times = {Microseconds(40), Microseconds(70), Time{}, 1};
  SlowReceiverFault slow;
  slow.host = 6;
  slow.rate = GigabitsPerSecond(10);
  slow.times = {Microseconds(20), Microseconds(200), Time{}, 1};
  s.nics[6].rx_buffer = RxBufferParameters{Bytes(200'000), Bytes(60'000), Bytes(30'000)};
  MacsecFault macsec;
  macsec.a = 8;
  macsec.b = 11;
  macsec.b_encrypts = true;
  macsec.times = {Microseconds(100), Microseconds(250), Time{}, 1};
  LossFault loss{9, 4, 0.01, {Microseconds(100), Microseconds(200), Time{}, 1}};
  s.faults.insert(s.faults.end(), {storm, other, down, blocked, slow, macsec, loss});
  const auto text = [&s](const RunOptions& options) {
    return TextFromChild([&] {
      const RunRecord r = headroom::Run(s, options);
      EXPECT_TRUE(r.conservation.Ok());
      return RecordText(r);
    });
  };
  const std::string once = text({});
  EXPECT_NE(once.find("watchdog_detected"), std::string::npos);
  EXPECT_NE(once.find("watchdog_restored"), std::string::npos);
  RunOptions other_way;
  other_way.lanes = false;
  other_way.driver = Driver::ns3_default;
  other_way.check = true;
  ExpectSameText(text(other_way), once);
}

}  // namespace
}  // namespace headroom

// The acceptance tests of SONiC's PFC watchdog, W1 to W7, in simulation (W3: watchdog_limits_test.cc).
// Source: sonic-mgmt, tests/pfcwd and tests/snappi_tests. Times are a hundredth of theirs: 2 ms for 200 ms,
// polls of 1 ms for 100 ms. Where the tests use a generator, this test uses a host that sends at 20 Gb/s,
// whether its frames arrive or not.
#include <gtest/gtest.h>

#include "run/record_text.h"
#include "run/storms.h"

namespace headroom::watchdog_test {
namespace {

constexpr NodeId kSwitch = 4;
const Time kEvery = Microseconds(100);
const Bytes kMessage(250'000);  // 20 Gb/s

/// Flows 0, 1, 2 and 3: h0 and h1 send to h2, h0 also sends to h3, and h2 to h1. The storm is on h2's link.
Scenario Star(const std::vector<WatchdogParameters>& watchdogs, int count = 190) {
  Scenario s = StormStar(4, watchdogs);
  s.workloads = {Flow("a", 0, 2, kEvery, count, kMessage), Flow("b", 1, 2, kEvery, count, kMessage),
                 Flow("other", 0, 3, kEvery, count, kMessage), Flow("back", 2, 1, kEvery, count, kMessage)};
  return s;
}

TEST(Watchdog, W1_drop) {
  InChild([] {
    Scenario s = Star({Watchdog()});
    s.faults = {StormFrom(2, Microseconds(3500), Microseconds(9500))};
    const RunRecord r = Checked(s);
    const auto detected = EventsOf(r, "watchdog_detected"), restored = EventsOf(r, "watchdog_restored");
    ASSERT_EQ(detected.size(), 1u);
    ASSERT_EQ(restored.size(), 1u);
    // The poll at 4 ms finds that the queue ran before; those at 5 and 6 see a storm.
    EXPECT_EQ(detected[0].time, Milliseconds(6));
    EXPECT_EQ(detected[0].node, kSwitch);
    EXPECT_EQ(detected[0].port, 2);
    EXPECT_EQ(detected[0].priority, 3);
    // The poll at 10 ms still finds frames, those at 11 and 12 none.
    EXPECT_EQ(restored[0].time, Milliseconds(12));
    // No frame passes until the restoration, neither to h2 nor from it.
    const WatchdogRecord& w = WatchdogAt(r, kSwitch, 2);
    EXPECT_EQ(w.detected, 1u);
    EXPECT_EQ(w.restored, 1u);
    EXPECT_FALSE(w.stormed);
    EXPECT_EQ(w.all.tx_ok, 0u);
    EXPECT_EQ(w.all.rx_ok, 0u);
    EXPECT_GT(w.all.rx_drop, 0u);
    EXPECT_EQ(Drops(At(r, kSwitch, 2), DropReason::watchdog), w.all.tx_drop + w.all.rx_drop);
    EXPECT_EQ(AllDrops(r), w.all.tx_drop + w.all.rx_drop);
    // 40 Gb/s to h2 from 3.5 to 12 ms, with 1024 bytes a packet, and until the detection the ACKs for h2's
    // data, 245 in 100 µs.
    const double packets = 40e9 / 8 * 8.5e-3 / 1024 + 25 * 245;
    EXPECT_NEAR(static_cast<double>(w.all.tx_drop), packets, 0.01 * packets);
    // The other queue forwards; this one does so after the restoration.
    EXPECT_EQ(Finished(r, 2), std::pair(190, 190));
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start > Milliseconds(12)) {
        EXPECT_TRUE(m.Finished());
      }
    }
  });
}

TEST(Watchdog, W1_drop_in_a_chassis) {
  // Frames wait on the line cards of their ingress: they leave, and are dropped at that moment.
  InChild([] {
    Scenario s = Star({Watchdog()});
    s.switches[0].chassis = ChassisParameters{};
    s.faults = {StormFrom(2, Microseconds(3500), Microseconds(9500))};
    const RunRecord r = Checked(s);
    ASSERT_EQ(EventsOf(r, "watchdog_detected").size(), 1u);
    ASSERT_EQ(EventsOf(r, "watchdog_restored").size(), 1u);
    const WatchdogRecord& w = WatchdogAt(r, kSwitch, 2);
    EXPECT_EQ(w.all.tx_ok, 0u);
    EXPECT_GT(w.all.tx_drop, 40'000u);
    EXPECT_EQ(AllDrops(r), w.all.tx_drop + w.all.rx_drop);
    EXPECT_EQ(Finished(r, 2), std::pair(190, 190));
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start > Milliseconds(12)) {
        EXPECT_TRUE(m.Finished());
      }
    }
  });
}

TEST(Watchdog, W1_forward) {
  InChild([] {
    Scenario s = Star({Watchdog(WatchdogAction::forward)});
    s.faults = {StormFrom(2, Microseconds(3500), Microseconds(9500))};
    const RunRecord r = Checked(s);
    ASSERT_EQ(EventsOf(r, "watchdog_detected").size(), 1u);
    ASSERT_EQ(EventsOf(r, "watchdog_restored").size(), 1u);
    EXPECT_EQ(AllDrops(r), 0u);
    for (uint32_t w = 0; w < 4; ++w) EXPECT_EQ(Finished(r, w), std::pair(190, 190));
    // From the detection on the queue runs, though the pauses continue for another 3.5 ms.
    const WatchdogRecord& w = WatchdogAt(r, kSwitch, 2);
    EXPECT_GT(w.all.tx_ok, 10'000u);
    EXPECT_EQ(w.all.tx_drop, 0u);
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start > Milliseconds(8)) {
        EXPECT_LT(m.completed - m.start, Milliseconds(1));
      }
    }
  });
}

TEST(Watchdog, W1_alert) {
  InChild([] {
    Scenario s = Star({Watchdog(WatchdogAction::alert)});
    s.faults = {StormFrom(2, Microseconds(3500), Microseconds(9500))};
    const RunRecord r = Checked(s);
    ASSERT_EQ(EventsOf(r, "watchdog_detected").size(), 1u);
    const auto restored = EventsOf(r, "watchdog_restored");
    ASSERT_EQ(restored.size(), 1u);
    EXPECT_EQ(restored[0].time, Milliseconds(10));  // the first poll that saw no storm
    EXPECT_EQ(AllDrops(r), 0u);
    const WatchdogRecord& w = WatchdogAt(r, kSwitch, 2);
    EXPECT_EQ(w.detected, 1u);
    // No message goes to h2 while it pauses.
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start > Milliseconds(4) && m.start < Milliseconds(9)) {
        EXPECT_GT(m.completed, Microseconds(9500));
      }
    }
    for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(Finished(r, i), std::pair(190, 190));
  });
}

TEST(Watchdog, W1_storms_one_after_the_other_are_counted) {
  InChild([] {
    Scenario s = Star({Watchdog()});
    PauseStormFault storm = StormFrom(2, Microseconds(1500), Microseconds(5500));
    storm.times.every = Milliseconds(8);
    storm.times.count = 2;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    const WatchdogRecord& w = WatchdogAt(r, kSwitch, 2);
    EXPECT_EQ(w.detected, 2u);
    EXPECT_EQ(w.restored, 2u);
    EXPECT_GT(w.last.rx_drop, 0u);
    EXPECT_LT(w.last.rx_drop, w.all.rx_drop);
  });
}

TEST(Watchdog, W2_timers) {
  // Detection takes more than `detection` and at most a poll more, wherever between two polls the storm
  // begins; restoration likewise after the last pause.
  InChild([] {
    for (int offset = 0; offset < 1000; offset += 125) {
      const std::string gap = TextFromChild([offset] {
        Scenario s = Star({Watchdog()}, 1);
        s.workloads.push_back(Flow("late", 0, 3, Milliseconds(19), 2, Bytes(1000)));
        const Time start = Microseconds(2001 + offset), stop = Microseconds(8001 + offset);
        s.faults = {StormFrom(2, start, stop)};
        const RunRecord r = headroom::Run(s, {});
        const Time detected = EventsOf(r, "watchdog_detected").at(0).time - start;
        const Time restored = EventsOf(r, "watchdog_restored").at(0).time - stop;
        EXPECT_GT(detected, Milliseconds(2)) << offset;
        EXPECT_LE(detected, Milliseconds(3)) << offset;
        EXPECT_GE(restored, Milliseconds(2)) << offset;
        EXPECT_LE(restored, Milliseconds(3)) << offset;
        return std::string("seen");
      });
      EXPECT_EQ(gap, "seen");
    }
  });
}

TEST(Watchdog, W4_ports_by_themselves) {
  InChild([] {
    Scenario s = Star({Watchdog()});
    s.faults = {StormFrom(2, Microseconds(1500), Microseconds(9500)),
                StormFrom(3, Microseconds(4500), Microseconds(7500))};
    const RunRecord r = Checked(s);
    const auto detected = EventsOf(r, "watchdog_detected");
    ASSERT_EQ(detected.size(), 2u);
    EXPECT_EQ(detected[0].time, Milliseconds(4));
    EXPECT_EQ(detected[0].port, 2);
    EXPECT_EQ(detected[1].time, Milliseconds(7));
    EXPECT_EQ(detected[1].port, 3);
    const auto restored = EventsOf(r, "watchdog_restored");
    ASSERT_EQ(restored.size(), 2u);
    EXPECT_EQ(restored[0].time, Milliseconds(10));
    EXPECT_EQ(restored[0].port, 3);
    EXPECT_EQ(restored[1].time, Milliseconds(12));
  });
}

TEST(Watchdog, W4_all_ports_at_once) {
  InChild([] {
    Scenario s = Star({Watchdog()});
    for (NodeId h = 0; h < 4; ++h) s.faults.push_back(StormFrom(h, Microseconds(1500), Microseconds(9500)));
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 4u);
    EXPECT_EQ(EventsOf(r, "watchdog_restored").size(), 4u);
    for (const MessageRecord& m : r.messages) {
      if (m.start > Milliseconds(12)) {
        EXPECT_TRUE(m.Finished());
      }
    }
  });
}

TEST(Watchdog, W4_a_port_that_flaps_starts_anew) {
  InChild([] {
    Scenario s = Star({Watchdog()});
    LinkDownFault down;
    down.a = 2;
    down.b = kSwitch;
    down.times.start = Milliseconds(7);
    down.times.stop = Microseconds(7100);
    s.faults = {StormFrom(2, Microseconds(3500), Milliseconds(20)), down};
    const RunRecord r = Checked(s);
    const auto detected = EventsOf(r, "watchdog_detected"), restored = EventsOf(r, "watchdog_restored");
    ASSERT_EQ(restored.size(), 1u);
    EXPECT_EQ(restored[0].time, Milliseconds(7));
    EXPECT_EQ(restored[0].detail, "drop, link down");
    // The queue is released at 7.1 ms and paused again at once: the poll at 8 ms sets the counters, that at 9
    // ms has 2 ms left, and that at 10 ms no more than a poll.
    ASSERT_EQ(detected.size(), 2u);
    EXPECT_EQ(detected[1].time, Milliseconds(10));
  });
}

TEST(Watchdog, W4_without_traffic_it_depends_on_the_vendor) {
  const auto storms = [](WatchdogVendor vendor) {
    return TextFromChild([vendor] {
      Scenario s = StormStar(4, {Watchdog(WatchdogAction::drop, vendor)});
      s.workloads = {Flow("other", 0, 3, Milliseconds(19), 2, kMessage)};
      s.faults = {StormFrom(2, Microseconds(3500), Microseconds(9500))};
      return std::to_string(EventsOf(Checked(s), "watchdog_detected").size());
    });
  };
  EXPECT_EQ(storms(WatchdogVendor::broadcom), "1");
  EXPECT_EQ(storms(WatchdogVendor::cisco), "1");
  EXPECT_EQ(storms(WatchdogVendor::generic), "1");
  EXPECT_EQ(storms(WatchdogVendor::teralynx), "1");
  EXPECT_EQ(storms(WatchdogVendor::mellanox), "0");
}

TEST(Watchdog, W5_a_long_storm_drops_its_flow_and_no_other) {
  // The storm lasts from 1 ms to the end of the traffic at 19 ms.
  for (const auto vendor : {WatchdogVendor::broadcom, WatchdogVendor::mellanox, WatchdogVendor::cisco,
                            WatchdogVendor::teralynx, WatchdogVendor::generic}) {
    InChild([vendor] {
      Scenario s = Star({Watchdog(WatchdogAction::drop, vendor)});
      s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(20))};
      const RunRecord r = Checked(s);
      EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 1u);
      const double sent = 2.0 * static_cast<double>(At(r, 1, 0).tx_packets);  // h0 sends as much to h2
      EXPECT_GT(static_cast<double>(WatchdogAt(r, kSwitch, 2).all.tx_drop), 0.7 * sent / 2);
      EXPECT_EQ(Finished(r, 2), std::pair(190, 190));
      for (const uint16_t port : {0, 1, 3}) EXPECT_EQ(Drops(At(r, kSwitch, port), DropReason::watchdog), 0u);
    });
  }
}

TEST(Watchdog, W5_half_the_detection_time_is_no_storm) {
  for (const auto vendor : {WatchdogVendor::broadcom, WatchdogVendor::mellanox, WatchdogVendor::teralynx,
                            WatchdogVendor::generic}) {
    InChild([vendor] {
      Scenario s = Star({Watchdog(WatchdogAction::drop, vendor)});
      s.faults = {StormFrom(2, Microseconds(3500), Microseconds(4500))};
      const RunRecord r = Checked(s);
      EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 0u);
      EXPECT_EQ(AllDrops(r), 0u);
      for (uint32_t w = 0; w < 4; ++w) EXPECT_EQ(Finished(r, w), std::pair(190, 190));
    });
  }
}

TEST(Watchdog, W6_bursts_of_storms_never_trigger) {
  // Storms of half the detection time, one each two detection times, 20 times, at every phase of the polls.
  for (const auto vendor : {WatchdogVendor::broadcom, WatchdogVendor::mellanox, WatchdogVendor::cisco,
                            WatchdogVendor::teralynx, WatchdogVendor::generic}) {
    for (const int phase : {0, 100, 350, 500, 900}) {
      InChild([vendor, phase] {
        Scenario s = Star({Watchdog(WatchdogAction::drop, vendor)}, 780);
        s.duration = s.deadline = Milliseconds(80);
        for (WorkloadParameters& w : s.workloads) w = Flow(w.name, 0, 2, kEvery, 780, Bytes(10'000));
        PauseStormFault storm = StormFrom(2, Microseconds(1000 + phase), Microseconds(1990 + phase));
        storm.times.every = Milliseconds(4);
        storm.times.count = 19;
        s.faults = {storm};
        const RunRecord r = Checked(s);
        EXPECT_EQ(EventsOf(r, "fault_start").size(), 19u);
        EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 0u) << static_cast<int>(vendor) << " " << phase;
        EXPECT_EQ(AllDrops(r), 0u);
      });
    }
  }
}

TEST(Watchdog, W7_only_flows_through_the_stormed_egress_lose) {
  // Every host sends to every other, 10 Gb/s each; the storm is on h2's link. Between the others no frame is
  // lost.
  InChild([] {
    Scenario s = StormStar(4, {Watchdog()});
    for (NodeId from = 0; from < 4; ++from) {
      for (NodeId to = 0; to < 4; ++to) {
        if (from != to)
          s.workloads.push_back(
              Flow(std::to_string(from) + std::to_string(to), from, to, kEvery, 190, Bytes(125'000)));
      }
    }
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(20))};
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 1u);
    for (uint32_t w = 0; w < s.workloads.size(); ++w) {
      const bool stormed = s.workloads[w].name.find('2') != std::string::npos;
      const auto [all, finished] = Finished(r, w);
      EXPECT_EQ(all, 190);
      if (stormed) {
        EXPECT_LT(finished, 100) << s.workloads[w].name;
      } else {
        EXPECT_EQ(finished, 190) << s.workloads[w].name;
      }
    }
  });
}

TEST(Watchdog, W7_frames_that_resume_are_no_storm) {
  for (const auto vendor : {WatchdogVendor::broadcom, WatchdogVendor::mellanox, WatchdogVendor::cisco,
                            WatchdogVendor::teralynx, WatchdogVendor::generic}) {
    InChild([vendor] {
      Scenario s = Star({Watchdog(WatchdogAction::drop, vendor)});
      PauseStormFault storm = StormFrom(2, Milliseconds(1), Milliseconds(18));
      storm.storm.quanta = 0;
      storm.storm.interval = Microseconds(20);
      s.faults = {storm};
      const RunRecord r = Checked(s);
      EXPECT_GT(At(r, 2, 0).resume_frames_tx, 800u);
      EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 0u);
      EXPECT_EQ(AllDrops(r), 0u);
    });
  }
}

TEST(Watchdog, W7_mixed_speeds) {
  // Hosts of 400 Gb/s send to one of 100: the storm is at the slow link, and the fast ones continue.
  InChild([] {
    Topology t = BuildStar({"h0", "h1", "h2", "h3"}, kStormLink);
    for (const size_t fast : {0, 1, 3}) t.links[fast].spec.rate = GigabitsPerSecond(400);
    Scenario s = Star({Watchdog()});
    s.topology = t;
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(20))};
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 1u);
    EXPECT_EQ(Finished(r, 2), std::pair(190, 190));
    EXPECT_EQ(AllDrops(r), Drops(At(r, kSwitch, 2), DropReason::watchdog));
  });
}

TEST(Watchdog, a_storm_while_headroom_is_in_use_leaves_nothing_behind) {
  // Two senders at line rate fill the groups' shared bytes and their headroom before the watchdog acts; the
  // charged bytes are released, which --check verifies pool by pool, and the senders resume.
  InChild([] {
    Scenario s = StormStar(4, {Watchdog()});
    s.workloads = {Flow("a", 0, 2, Milliseconds(5), 3, Bytes(30'000'000)),
                   Flow("b", 1, 2, Milliseconds(5), 3, Bytes(30'000'000)),
                   Flow("late", 0, 3, Milliseconds(19), 2, kMessage)};
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(8))};
    s.observe.groups = Observation{Milliseconds(1), {"*"}};
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 1u);
    EXPECT_GT(At(r, kSwitch, 0).peak_headroom.v, 0);
    bool used = false;
    for (const GroupSample& g : r.groups) {
      if (g.time == Milliseconds(3)) used |= g.headroom.v > 0;
      if (g.time == Milliseconds(17)) {
        EXPECT_EQ(g.shared.v + g.headroom.v, 0);
      }
    }
    EXPECT_TRUE(used);
    EXPECT_EQ(Finished(r, 2), std::pair(2, 2));
  });
}

TEST(Watchdog, the_big_red_switch_drops_without_a_storm) {
  InChild([] {
    WatchdogParameters w = Watchdog(WatchdogAction::forward);
    w.big_red_switch = true;
    w.ports = "p2";
    Scenario s = Star({w});
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "watchdog_detected").size(), 0u);
    EXPECT_EQ(EventsOf(r, "watchdog_forced").size(), 1u);
    ASSERT_EQ(r.watchdogs.size(), 1u);
    EXPECT_TRUE(r.watchdogs[0].stormed);
    EXPECT_EQ(r.watchdogs[0].detected, 0u);
    EXPECT_EQ(r.watchdogs[0].all.tx_ok, 0u);
    EXPECT_EQ(Finished(r, 0).second, 0);
    EXPECT_EQ(Finished(r, 2), std::pair(190, 190));
  });
}

TEST(Watchdog, without_restoration_time_the_queue_stays_dropped) {
  InChild([] {
    WatchdogParameters w = Watchdog();
    w.restoration.reset();
    Scenario s = Star({w});
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(5))};
    const RunRecord r = Checked(s);
    EXPECT_TRUE(EventsOf(r, "watchdog_restored").empty());
    EXPECT_TRUE(WatchdogAt(r, kSwitch, 2).stormed);
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start > Milliseconds(6)) {
        EXPECT_FALSE(m.Finished());
      }
    }
  });
}

TEST(Watchdog, the_last_entry_that_matches_a_port_watches_it) {
  InChild([] {
    WatchdogParameters alert = Watchdog(WatchdogAction::alert);
    alert.ports = "p2";
    Scenario s = Star({Watchdog(), alert});
    s.faults = {StormFrom(2, Milliseconds(1), Milliseconds(9)),
                StormFrom(3, Milliseconds(1), Milliseconds(9))};
    const RunRecord r = Checked(s);
    EXPECT_EQ(WatchdogAt(r, kSwitch, 2).action, "alert");
    EXPECT_EQ(Drops(At(r, kSwitch, 2), DropReason::watchdog), 0u);
    EXPECT_GT(Drops(At(r, kSwitch, 3), DropReason::watchdog), 0u);
  });
}

TEST(Watchdog, one_on_the_servers_card_watches_the_link_to_its_switch) {
  // The switch pauses h0 for 8 ms: the card drops the frames from h0, and the others continue.
  InChild([] {
    Scenario s = StormStar(4, {});
    s.nics[0].watchdogs = {Watchdog()};
    s.workloads = {Flow("a", 0, 2, kEvery, 190, kMessage), Flow("to", 1, 0, kEvery, 190, kMessage),
                   Flow("other", 1, 3, kEvery, 190, kMessage)};
    PauseStormFault storm = StormFrom(kSwitch, Microseconds(1500), Microseconds(9500));
    storm.port = 0;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    const auto detected = EventsOf(r, "watchdog_detected"), restored = EventsOf(r, "watchdog_restored");
    ASSERT_EQ(detected.size(), 1u);
    EXPECT_EQ(detected[0].node, 0u);
    EXPECT_EQ(detected[0].time, Milliseconds(4));
    ASSERT_EQ(restored.size(), 1u);
    EXPECT_EQ(restored[0].time, Milliseconds(12));
    const WatchdogRecord& w = WatchdogAt(r, 0, 0);
    // 20 Gb/s from 1.5 to 12 ms, which the card drops on the link, and the ACKs that waited at the detection,
    // 245 in 100 µs.
    const double packets = 20e9 / 8 * 10.5e-3 / 1024;
    EXPECT_NEAR(static_cast<double>(w.all.tx_drop), packets + 25 * 245, 0.01 * packets);
    EXPECT_NEAR(static_cast<double>(Drops(At(r, kSwitch, 0), DropReason::watchdog)), packets, 0.01 * packets);
    EXPECT_GT(w.all.rx_drop, 0u);
    EXPECT_EQ(w.all.tx_ok, 0u);
    EXPECT_EQ(Drops(At(r, kSwitch, 0), DropReason::watchdog) + Drops(At(r, 0, 0), DropReason::watchdog),
              w.all.tx_drop + w.all.rx_drop);
    EXPECT_EQ(Finished(r, 2), std::pair(190, 190));
  });
}

TEST(Watchdog, polls_do_not_prolong_a_run) {
  InChild([] {
    Scenario s = StormStar(4, {Watchdog()});
    s.workloads = {Flow("a", 0, 2, Time{}, 1, kMessage)};
    const RunRecord r = Checked(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_LT(r.end, Microseconds(100));
  });
}

TEST(Watchdog, results_depend_on_the_seed_alone) {
  Scenario s = Star({Watchdog()});
  s.faults = {StormFrom(2, Microseconds(3500), Microseconds(9500))};
  const auto text = [&s](const RunOptions& options) {
    return TextFromChild([&] { return RecordText(headroom::Run(s, options)); });
  };
  const std::string once = text({});
  RunOptions other;
  other.lanes = false;
  other.driver = Driver::ns3_default;
  ExpectSameText(text(other), once);
}

}  // namespace
}  // namespace headroom::watchdog_test

// Tests W1 to W7 of the acceptance suite (sonic-mgmt, tests/pfcwd and tests/snappi_tests/pfcwd), on a
// Tomahawk and a Spectrum-2; each is read from an entire SONiC configuration. The times are those of its
// PFC_WD: detection after 200 ms, restoration after 400 ms, polls of 200 ms, action drop.
// tests/run/watchdog_test.cc tests each vendor's machine and each action in detail, with shorter times.
#include <gtest/gtest.h>

#include "acceptance/sonic_star.h"
#include "run/storms.h"
#include "support/sonic.h"

namespace headroom::watchdog_test {
namespace {

constexpr NodeId kSwitch = 4;
constexpr Time kEvery = Microseconds(500);
constexpr Bytes kMessage(1000);  // one frame; a storm of 400 ms fills no group up to its limit

struct Configuration {
  std::string name, file;
  bool detects_without_traffic;
};

class PfcWatchdogOf : public testing::TestWithParam<Configuration> {
 protected:
  /// h2 has the stormed link.
  static Scenario Star(Time until) {
    Scenario s = SonicStar(GetParam().file);
    s.duration = s.deadline = until;
    s.workloads.clear();
    return s;
  }
  /// A frame each half millisecond between two hosts, up to 100 ms before the end.
  static WorkloadParameters Steady(const Scenario& s, NodeId from, NodeId to, uint8_t priority = 3) {
    const auto count = static_cast<int>((s.duration - Milliseconds(100)) / kEvery);
    return Flow(std::to_string(from) + std::to_string(to) + "-" + std::to_string(priority), from, to, kEvery,
                count, kMessage, priority);
  }
  /// Flow 0: h0 to h2 in class 3; 1: the same in class 4; 2: h0 to h3; 3: h1 to h3. Flow 0 crosses the
  /// stormed queue.
  static void AddTraffic(Scenario& s) {
    s.workloads = {Steady(s, 0, 2), Steady(s, 0, 2, 4), Steady(s, 0, 3), Steady(s, 1, 3)};
  }
  static void ExpectOthersWhole(const RunRecord& r) {
    for (uint32_t w = 1; w < 4; ++w) {
      const auto [all, finished] = Finished(r, w);
      EXPECT_EQ(finished, all) << w;
    }
    for (const uint16_t port : {0, 1, 3}) EXPECT_EQ(Drops(At(r, kSwitch, port), DropReason::watchdog), 0u);
  }
  static size_t Detected(const RunRecord& r) { return EventsOf(r, "watchdog_detected").size(); }
};
INSTANTIATE_TEST_SUITE_P(On, PfcWatchdogOf,
                         testing::Values(Configuration{"tomahawk", "rack.config_db.json", true},
                                         Configuration{"spectrum2", "spine.config_db.json", false}),
                         [](const auto& row) { return row.param.name; });

// A storm lasts from 210 to 1010 ms. The poll at 400 ms finds that the queue ran before (or was paused for 95
// % of the time); that at 600 ms detects the storm. The poll at 1200 ms still finds pauses, those at 1400 and
// 1600 ms find none.
TEST_P(PfcWatchdogOf, W1_DetectDropRestore) {
  InChild([] {
    Scenario s = Star(Milliseconds(2000));
    AddTraffic(s);
    s.faults = {StormFrom(2, Milliseconds(210), Milliseconds(1010))};
    const RunRecord r = Checked(s);
    const auto detected = EventsOf(r, "watchdog_detected"), restored = EventsOf(r, "watchdog_restored");
    ASSERT_EQ(detected.size(), 1u);
    ASSERT_EQ(restored.size(), 1u);
    EXPECT_EQ(detected[0].time, Milliseconds(600));
    EXPECT_EQ(detected[0].port, 2);
    EXPECT_EQ(detected[0].priority, 3);
    EXPECT_EQ(restored[0].time, Milliseconds(1600));
    const WatchdogRecord& w = WatchdogAt(r, kSwitch, 2);
    EXPECT_EQ(w.detected, 1u);
    EXPECT_EQ(w.restored, 1u);
    EXPECT_EQ(w.all.tx_ok, 0u);
    EXPECT_EQ(w.all.rx_ok, 0u);
    EXPECT_EQ(AllDrops(r), w.all.tx_drop + w.all.rx_drop);
    // Frames from 210 ms to 1600 ms waited and were dropped: one frame each half millisecond for 1390 ms. The
    // sender repeats each frame a second after it was lost.
    EXPECT_GE(w.all.tx_drop, 2780u);
    ExpectOthersWhole(r);
    for (const MessageRecord& m : r.messages) {
      if (m.workload == 0 && m.start > Milliseconds(1600)) {
        EXPECT_TRUE(m.Finished());
      }
    }
  });
}

// Detection takes more than the detection time, and at most a poll more, wherever between two polls the storm
// begins. The restoration likewise follows the last pause.
TEST_P(PfcWatchdogOf, W2_Timers) {
  for (const int offset : {1, 50, 100, 150, 199}) {
    InChild([offset] {
      Scenario s = Star(Milliseconds(2300));
      s.workloads = {Flow("a", 0, 2, Milliseconds(50), 40, kMessage)};
      const Time start = Milliseconds(200 + offset), stop = Milliseconds(1200 + offset);
      s.faults = {StormFrom(2, start, stop)};
      const RunRecord r = headroom::Run(s, {});
      ASSERT_EQ(Detected(r), 1u) << offset;
      const Time detected = EventsOf(r, "watchdog_detected")[0].time - start;
      const Time restored = EventsOf(r, "watchdog_restored").at(0).time - stop;
      EXPECT_GT(detected, Milliseconds(200)) << offset;
      EXPECT_LE(detected, Milliseconds(400)) << offset;
      EXPECT_GE(restored, Milliseconds(400)) << offset;
      EXPECT_LE(restored, Milliseconds(600)) << offset;
    });
  }
}

TEST_P(PfcWatchdogOf, W3_Limits) {
  const auto refused = [](const std::string& field, const std::string& value) {
    const Findings found =
        ReadSonicConfig(EditedSonicText(GetParam().file, {{"/PFC_WD/" + field, value}}), "x.json").findings;
    return std::ranges::any_of(found, [](const Finding& f) {
      return f.severity == Finding::Severity::error && f.where.find("PFC_WD|") != std::string::npos;
    });
  };
  EXPECT_TRUE(refused("Ethernet0/detection_time", "99"));
  EXPECT_TRUE(refused("Ethernet0/detection_time", "5001"));
  EXPECT_TRUE(refused("Ethernet0/restoration_time", "99"));
  EXPECT_TRUE(refused("Ethernet0/restoration_time", "60001"));
  EXPECT_TRUE(refused("GLOBAL/POLL_INTERVAL", "99"));
  EXPECT_TRUE(refused("GLOBAL/POLL_INTERVAL", "1001"));
  EXPECT_TRUE(refused("GLOBAL/POLL_INTERVAL", "201"));  // beyond the detection time
  EXPECT_FALSE(refused("Ethernet0/detection_time", "5000"));
  EXPECT_FALSE(refused("GLOBAL/POLL_INTERVAL", "100"));
}

TEST_P(PfcWatchdogOf, W4_PortsByThemselvesAndWithoutTraffic) {
  InChild([] {
    Scenario s = Star(Milliseconds(2000));
    s.workloads = {Steady(s, 0, 2), Steady(s, 0, 3)};
    s.faults = {StormFrom(2, Milliseconds(210), Milliseconds(1010)),
                StormFrom(3, Milliseconds(610), Milliseconds(1010)),
                StormFrom(1, Milliseconds(210), Milliseconds(1010))};  // no host sends to h1
    const RunRecord r = Checked(s);
    const auto at = [&](uint16_t port) {
      for (const EventRecord& e : EventsOf(r, "watchdog_detected"))
        if (e.port == port) return e.time;
      return Time{};
    };
    EXPECT_EQ(at(2), Milliseconds(600));
    EXPECT_EQ(at(3), Milliseconds(1000));
    EXPECT_EQ(at(1), GetParam().detects_without_traffic ? Milliseconds(600) : Time{});
    EXPECT_EQ(EventsOf(r, "watchdog_restored").size(), Detected(r));
  });
}

// The storm lasts from 100 ms to the end. From then on exactly the frames of the stormed flow are lost.
TEST_P(PfcWatchdogOf, W5_LongStorm) {
  InChild([] {
    Scenario s = Star(Milliseconds(2000));
    AddTraffic(s);
    s.faults = {StormFrom(2, Milliseconds(100), Milliseconds(2000))};
    const RunRecord r = Checked(s);
    EXPECT_EQ(Detected(r), 1u);
    const auto [all, finished] = Finished(r, 0);
    EXPECT_LE(finished, all * 3 / 10);
    ExpectOthersWhole(r);
  });
}

TEST_P(PfcWatchdogOf, W5_HalfTheDetectionTime) {
  InChild([] {
    Scenario s = Star(Milliseconds(1200));
    AddTraffic(s);
    s.faults = {StormFrom(2, Milliseconds(350), Milliseconds(450))};
    const RunRecord r = Checked(s);
    EXPECT_EQ(Detected(r), 0u);
    EXPECT_EQ(AllDrops(r), 0u);
    for (uint32_t w = 0; w < 4; ++w) EXPECT_EQ(Finished(r, w), std::pair(2200, 2200));
  });
}

// Ten storms of half the detection time, one each two detection times; 390 ms, so that each begins at another
// time between polls.
TEST_P(PfcWatchdogOf, W6_BurstsOfStorms) {
  InChild([] {
    Scenario s = Star(Milliseconds(4500));
    AddTraffic(s);
    PauseStormFault storm = StormFrom(2, Milliseconds(150), Milliseconds(250));
    storm.times.every = Milliseconds(390);
    storm.times.count = 10;
    s.faults = {storm};
    const RunRecord r = Checked(s);
    EXPECT_EQ(EventsOf(r, "fault_start").size(), 10u);
    EXPECT_EQ(Detected(r), 0u);
    EXPECT_EQ(AllDrops(r), 0u);
  });
}

TEST_P(PfcWatchdogOf, W7_AllToAll) {
  InChild([] {
    Scenario s = Star(Milliseconds(1500));
    for (NodeId from = 0; from < 4; ++from) {
      for (NodeId to = 0; to < 4; ++to)
        if (from != to) s.workloads.push_back(Steady(s, from, to));
    }
    s.faults = {StormFrom(2, Milliseconds(100), Milliseconds(1500))};
    const RunRecord r = Checked(s);
    EXPECT_EQ(Detected(r), 1u);
    for (uint32_t w = 0; w < s.workloads.size(); ++w) {
      const auto [all, finished] = Finished(r, w);
      if (s.workloads[w].name.find('2') != std::string::npos) {
        EXPECT_LT(finished, all) << s.workloads[w].name;
      } else {
        EXPECT_EQ(finished, all) << s.workloads[w].name;
      }
    }
  });
}

TEST_P(PfcWatchdogOf, W7_ResumesAreNoStorm) {
  InChild([] {
    Scenario s = Star(Milliseconds(1200));
    AddTraffic(s);
    PauseStormFault storm = StormFrom(2, Milliseconds(100), Milliseconds(1200));
    storm.storm.quanta = 0;
    storm.storm.interval = Microseconds(100);
    s.faults = {storm};
    const RunRecord r = Checked(s);
    EXPECT_GT(At(r, 2, 0).resume_frames_tx, 9'900u);
    EXPECT_EQ(Detected(r), 0u);
    EXPECT_EQ(AllDrops(r), 0u);
  });
}

}  // namespace
}  // namespace headroom::watchdog_test

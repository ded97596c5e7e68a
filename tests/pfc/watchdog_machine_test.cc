// Properties of the polling machine that the traces do not show.
#include <gtest/gtest.h>

#include <algorithm>

#include "pfc/watchdog_machine.h"

namespace headroom::watchdog_machine_test {
namespace {

using Event = WatchdogMachine::Event;

WatchdogParameters Parameters(WatchdogVendor vendor, int poll_ms, int detection_ms) {
  WatchdogParameters p;
  p.vendor = vendor;
  p.poll = Milliseconds(poll_ms);
  p.detection = Milliseconds(detection_ms);
  p.restoration = Milliseconds(detection_ms);
  return p;
}

/// The counters of a queue that its peer pauses without end: a PFC frame every 10 ms, and no frame sent.
WatchdogReading Storm(int64_t ms) {
  WatchdogReading r;
  r.pfc_frames = static_cast<uint64_t>(ms / 10);
  r.paused = true;
  r.occupancy = 1000;
  r.tx_packets = 7;
  r.pause_duration = Milliseconds(ms);
  return r;
}

/// Time of the first storm in a pause without end, polled from 0 on; -1: none in 100 polls.
int FirstStorm(const WatchdogParameters& p) {
  WatchdogMachine machine;
  const int poll = static_cast<int>(p.poll / Milliseconds(1));
  for (int n = 0; n < 100; ++n) {
    if (machine.Poll(p, Storm(n * poll)) == Event::storm) return n * poll;
  }
  return -1;
}

TEST(WatchdogMachine, ADetectionTimeThatIsNoMultipleOfThePollIsRoundedUp) {
  // 250 ms with polls of 100 ms: 250, 150, 50 are left; the third poll after the first, which only sets the
  // counters, finds no more than a poll.
  for (const auto vendor : {WatchdogVendor::broadcom, WatchdogVendor::generic, WatchdogVendor::teralynx}) {
    EXPECT_EQ(FirstStorm(Parameters(vendor, 100, 250)), 300);
    EXPECT_EQ(FirstStorm(Parameters(vendor, 100, 300)), 300);
    EXPECT_EQ(FirstStorm(Parameters(vendor, 100, 301)), 400);
  }
  // 99 % of 301 ms are 297.99.
  EXPECT_EQ(FirstStorm(Parameters(WatchdogVendor::mellanox, 100, 301)), 300);
  EXPECT_EQ(FirstStorm(Parameters(WatchdogVendor::mellanox, 100, 310)), 400);
  // There only the state counts: no earlier poll is needed for comparison.
  EXPECT_EQ(FirstStorm(Parameters(WatchdogVendor::cisco, 100, 300)), 200);
}

/// Time from the start of a storm to its detection. Until then the queue sends a packet each ms.
int Detection(const WatchdogParameters& p, int start) {
  WatchdogMachine machine;
  const int poll = static_cast<int>(p.poll / Milliseconds(1));
  for (int ms = 0; ms < 100 * poll; ms += poll) {
    WatchdogReading r;
    r.tx_packets = static_cast<uint64_t>(std::min(ms, start));
    if (ms >= start) {
      const uint64_t before = r.tx_packets;
      r = Storm(ms - start);
      ++r.pfc_frames;
      r.tx_packets = before;
    }
    if (machine.Poll(p, r) == Event::storm) return ms - start;
  }
  return -1;
}

// The rule of docs/models/pauses.md. With polls of 100 ms, 250 ms are three of them.
TEST(WatchdogMachine, DetectionTakesAsManyPollsAsTheRuleNeedsWheneverTheStormStarts) {
  struct Rule {
    WatchdogVendor vendor;
    int earliest;  ///< before n polls, in ms
    int latest;    ///< after n polls, in ms
  };
  for (const Rule& rule : {Rule{WatchdogVendor::broadcom, 0, 100}, Rule{WatchdogVendor::generic, 0, 100},
                           Rule{WatchdogVendor::cisco, 100, 0}, Rule{WatchdogVendor::mellanox, 1, 100},
                           Rule{WatchdogVendor::teralynx, 20, 100}}) {
    for (const int detection : {100, 200, 250, 400}) {
      const int polls = (detection + 99) / 100 * 100;
      int least = 10'000, most = 0;
      for (int start = 101; start <= 300; ++start) {
        const int took = Detection(Parameters(rule.vendor, 100, detection), start);
        EXPECT_GE(took, polls - rule.earliest) << static_cast<int>(rule.vendor) << ' ' << start;
        EXPECT_LT(took, polls + rule.latest) << static_cast<int>(rule.vendor) << ' ' << start;
        least = std::min(least, took);
        most = std::max(most, took);
      }
      EXPECT_GE(most - least, 99);  // both ends are reached
    }
  }
  EXPECT_EQ(Detection(Parameters(WatchdogVendor::cisco, 100, 200), 199), 101);
}

TEST(WatchdogMachine, MellanoxGoesByTheMeasuredTime) {
  // Polls of nominally 100 ms come every 50: two of them do not make 200 ms.
  const WatchdogParameters p = Parameters(WatchdogVendor::mellanox, 100, 200);
  WatchdogMachine machine;
  int fired = -1;
  for (int ms = 0; fired < 0 && ms < 1000; ms += 50) {
    WatchdogReading r = Storm(ms);
    if (ms > 0) r.waited = Milliseconds(50);
    if (machine.Poll(p, r) == Event::storm) fired = ms;
  }
  EXPECT_EQ(fired, 200);
}

TEST(WatchdogMachine, OnePollWithoutStormStartsTheCountdownAgain) {
  for (const auto vendor : {WatchdogVendor::broadcom, WatchdogVendor::mellanox, WatchdogVendor::cisco,
                            WatchdogVendor::teralynx, WatchdogVendor::generic}) {
    const WatchdogParameters p = Parameters(vendor, 100, 400);
    WatchdogMachine machine;
    WatchdogReading r = Storm(0);
    for (int n = 0; n < 60; ++n) {
      // Every third poll finds that the queue runs, the pause has ended and its duration lags by half a poll.
      const bool going = n % 3 == 2;
      r.pfc_frames += 1;
      r.paused = !going;
      r.on_to_off += going;
      r.tx_packets += going;
      r.pause_duration += going ? Milliseconds(50) : Milliseconds(100);
      EXPECT_EQ(machine.Poll(p, r), Event::none) << n;
    }
  }
}

TEST(WatchdogMachine, WithoutRestorationTimeAQueueStaysStormed) {
  WatchdogParameters p = Parameters(WatchdogVendor::broadcom, 100, 200);
  p.restoration.reset();
  WatchdogMachine machine;
  for (int n = 0; n <= 2; ++n) machine.Poll(p, Storm(n * 100));
  ASSERT_TRUE(machine.stormed());
  WatchdogReading quiet = Storm(200);
  quiet.paused = false;
  for (int n = 0; n < 1000; ++n) EXPECT_EQ(machine.Poll(p, quiet), Event::none);
  EXPECT_TRUE(machine.stormed());
}

TEST(WatchdogMachine, APfcFrameStartsTheRestorationAgain) {
  const WatchdogParameters p = Parameters(WatchdogVendor::broadcom, 100, 200);
  WatchdogMachine machine;
  for (int n = 0; n <= 2; ++n) machine.Poll(p, Storm(n * 100));
  WatchdogReading r = Storm(200);
  r.paused = false;
  EXPECT_EQ(machine.Poll(p, r), Event::none);  // 100 ms left
  ++r.pfc_frames;
  EXPECT_EQ(machine.Poll(p, r), Event::none);  // 200 ms left
  EXPECT_EQ(machine.Poll(p, r), Event::none);  // 100 ms left
  EXPECT_EQ(machine.Poll(p, r), Event::restore);
}

TEST(WatchdogMachine, CiscoRestoresByTheStateOfThePause) {
  const WatchdogParameters p = Parameters(WatchdogVendor::cisco, 100, 200);
  WatchdogMachine machine;
  EXPECT_EQ(machine.Poll(p, Storm(0)), Event::none);
  EXPECT_EQ(machine.Poll(p, Storm(100)), Event::storm);
  EXPECT_EQ(machine.Poll(p, Storm(200)), Event::none);
  WatchdogReading r = Storm(300);
  r.paused = false;  // frames that resume still arrive
  EXPECT_EQ(machine.Poll(p, r), Event::none);
  r.pfc_frames += 5;
  EXPECT_EQ(machine.Poll(p, r), Event::restore);
}

TEST(WatchdogMachine, TeralynxNeedsFramesAndDuration) {
  // With an empty queue generic uses only the duration, teralynx also frames, broadcom no duration.
  const auto fires = [](WatchdogVendor vendor, bool frames, int duration_percent) {
    const WatchdogParameters p = Parameters(vendor, 100, 200);
    WatchdogMachine machine;
    WatchdogReading r = Storm(0);
    r.occupancy = 0;
    bool storm = false;
    for (int n = 0; n < 10; ++n) {
      storm |= machine.Poll(p, r) == Event::storm;
      r.pfc_frames += frames;
      r.pause_duration += Milliseconds(duration_percent);
    }
    return storm;
  };
  EXPECT_TRUE(fires(WatchdogVendor::teralynx, true, 81));
  EXPECT_FALSE(fires(WatchdogVendor::teralynx, true, 80));
  EXPECT_FALSE(fires(WatchdogVendor::teralynx, false, 100));
  EXPECT_TRUE(fires(WatchdogVendor::generic, false, 81));
  EXPECT_FALSE(fires(WatchdogVendor::generic, true, 80));
  EXPECT_TRUE(fires(WatchdogVendor::broadcom, true, 0));
  EXPECT_FALSE(fires(WatchdogVendor::broadcom, false, 100));
  EXPECT_FALSE(fires(WatchdogVendor::mellanox, true, 100));
}

TEST(WatchdogMachine, AResetForgetsEverything) {
  const WatchdogParameters p = Parameters(WatchdogVendor::broadcom, 100, 200);
  WatchdogMachine machine;
  for (int n = 0; n <= 2; ++n) machine.Poll(p, Storm(n * 100));
  machine.Reset();
  EXPECT_FALSE(machine.stormed());
  EXPECT_EQ(machine.Poll(p, Storm(300)), Event::none);  // this poll only sets the counters
  EXPECT_EQ(machine.Poll(p, Storm(400)), Event::none);
  EXPECT_EQ(machine.Poll(p, Storm(500)), Event::storm);
}

}  // namespace
}  // namespace headroom::watchdog_machine_test

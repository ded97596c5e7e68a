// Links that lose frames or do not decipher them, and all faults at once: the effect of each, its times, and
// that bytes add up.
#include <gtest/gtest.h>

#include "run/busy.h"
#include "run/fault_star.h"
#include "run/record_text.h"

namespace headroom::faults_test {
namespace {

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
  // Another link's losses do not change, whatever happens here.
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

TEST(LinkSpeed, is_the_lowest_of_its_faults_while_they_last) {
  // h0 does not honour pauses. 50 Gb/s from 1 to 3 ms, 25 Gb/s from 2 to 4 ms: the rate at which h2 receives
  // in each ms, of 100 Gb/s.
  InChild([] {
    Scenario s = Star();
    s.workloads = {Flow("a", 0, 2, Time{}, 1, Bytes(100'000'000))};
    s.duration = s.deadline = Milliseconds(5);
    s.observe.goodput = Observation{Milliseconds(1)};
    LinkSpeedFault half{0, kSwitch, {}, {}, GigabitsPerSecond(50), {}};
    half.times.start = Milliseconds(1);
    half.times.stop = Milliseconds(3);
    LinkSpeedFault quarter{kSwitch, 0, {}, {}, GigabitsPerSecond(25), {}};
    quarter.times.start = Milliseconds(2);
    quarter.times.stop = Milliseconds(4);
    s.faults = {half, quarter};
    const RunRecord r = Checked(s);
    std::vector<double> rates;
    for (const GoodputSample& sample : r.goodput)
      rates.push_back(static_cast<double>(sample.delivered.v) * 8 / 1e6);
    ASSERT_EQ(rates.size(), 5u);
    const double share = 1024.0 / 1106;
    const double expected[] = {100, 50, 25, 25, 100};
    for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(rates[i], expected[i] * share, expected[i] * 0.01) << i;
    EXPECT_EQ(EventsOf(r, "fault_start").size(), 2u);
    for (const PortRecord& port : r.ports) EXPECT_EQ(port.rate, GigabitsPerSecond(100));
  });
}

TEST(Faults, leave_accounts_in_order_and_results_to_the_seed) {
  // The small network with everything, and every fault at once.
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
  const NicRestartFault nic{5, {Microseconds(90), Microseconds(130), Time{}, 1}};
  const WarmRestartFault warm{10, {Microseconds(110), Microseconds(150), Time{}, 1}};
  s.faults.insert(s.faults.end(), {storm, other, down, blocked, slow, macsec, loss, nic, warm});
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
}  // namespace headroom::faults_test

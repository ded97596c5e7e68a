// DCQCN in the NIC: CNPs, rate cuts, and the pace of transmission.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "support/in_child.h"
#include "support/lab.h"

namespace headroom::nic_congestion_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};
// A middle frame has 1024 B of payload: 1106 B on the wire, 88.48 ns at 100 Gb/s.
constexpr Time kFrame = Picoseconds(88'480);

/// These data frames from host 0 to the switch are marked.
Scenario Marking(std::vector<uint64_t> packets, uint64_t every = 0, int hosts = 2) {
  Scenario s = StarScenario(hosts, kLink);
  s.faults = {MarkFault{0, static_cast<NodeId>(hosts), std::move(packets), every}};
  return s;
}

TEST(NicCongestion, OneMarkMakesOneCnpAndHalvesThePace) {
  // One queue pair at 100 Gb/s gets a CNP, then sends at 50 Gb/s, with frames twice as far apart, until the
  // first increase 55 us later to 75 Gb/s.
  InChild([] {
    Lab lab(Marking({0}));
    lab.Post(0, lab.Connect(0, 1), 100'000'000);
    RunUntil(Microseconds(100));
    EXPECT_EQ(lab.Of(1, FrameKind::cnp).size(), 1u);
    EXPECT_EQ(lab.Of(1, FrameKind::cnp)[0].priority, 6);
    EXPECT_EQ(lab.nic(0).counters().cnp_handled, 1u);
    EXPECT_EQ(lab.nic(1).counters().marked_packets, 1u);
    EXPECT_EQ(lab.messages[0].marked, 1);
    const auto data = lab.Of(0, FrameKind::data);
    for (size_t i = 1; i < data.size(); ++i) {
      const Time gap = data[i].at - data[i - 1].at;
      const Time at = data[i - 1].at;
      if (at > Microseconds(3) && at < Microseconds(50)) {
        ASSERT_EQ(gap, kFrame * 2) << InMicroseconds(at);
      }
      if (at > Microseconds(58)) {
        ASSERT_EQ(gap, SerializationTime(Bytes(1106), GigabitsPerSecond(75)));
      }
    }
  });
}

TEST(NicCongestion, APriorityThatTheNotificationPointLeavesOutMakesNoCnps) {
  // Every packet is marked, in priorities 3 and 0; CNPs come only for 0, and 3 stays at line rate.
  InChild([] {
    Scenario s = Marking({}, 1);
    s.nics[1].dcqcn.np.priorities.mask = 0xF7;
    Lab lab(s);
    const uint32_t left_out = lab.Connect(0, 1, 3), other = lab.Connect(0, 1, 0);
    lab.Post(0, left_out, 1'000'000);
    lab.Post(0, other, 1'000'000);
    RunUntil(Milliseconds(2));
    const auto cnps = lab.Of(1, FrameKind::cnp);
    EXPECT_GT(cnps.size(), 0u);
    for (const auto& cnp : cnps) EXPECT_EQ(cnp.qp, other);
    EXPECT_GT(lab.messages[0].marked, 0);
    EXPECT_TRUE(lab.nic(0).requester(left_out).rate.AtLineRate());
    EXPECT_LT(lab.messages[0].completed, lab.messages[1].completed);
  });
}

TEST(NicCongestion, NorDoItsAcksTellOfMarks) {
  InChild([] {
    Scenario s = Marking({}, 1);
    for (NicParameters& nic : s.nics) {
      nic.dcqcn = FindGeneration("hpcc-sim")->dcqcn;
      nic.dcqcn.np.priorities.mask = 0xF7;
    }
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 1'000'000);
    RunUntil(Milliseconds(2));
    EXPECT_EQ(lab.messages[0].marked, 977);
    EXPECT_EQ(lab.nic(0).counters().cnp_handled + lab.nic(0).counters().cnp_ignored, 0u);
  });
}

TEST(NicCongestion, APriorityThatTheReactionPointLeavesOutStaysAtLineRate) {
  // The queue pair sends at line rate, not at the reaction point's max_rate. CNPs still arrive and are
  // counted.
  InChild([] {
    Scenario s = Marking({}, 1);
    for (NicParameters& nic : s.nics) {
      nic.dcqcn.rp.priorities.mask = 0xF7;
      nic.dcqcn.rp.max_rate = GigabitsPerSecond(10);
    }
    Lab lab(s);
    const uint32_t qp = lab.Connect(0, 1, 3);
    lab.Post(0, qp, 10'000'000);
    RunUntil(Milliseconds(2));
    EXPECT_EQ(lab.messages[0].completions, 1);
    // 9766 packets of 88.48 ns take 864 us.
    EXPECT_LT(lab.messages[0].completed, Microseconds(868));
    EXPECT_EQ(lab.nic(0).requester(qp).rate.current, GigabitsPerSecond(100));
    EXPECT_GT(lab.nic(0).counters().cnp_ignored, 10u);
    EXPECT_EQ(lab.nic(0).counters().cnp_handled, 0u);
    EXPECT_EQ(lab.nic(0).requester(lab.Connect(0, 1, 0)).rate.current, GigabitsPerSecond(10));
    lab.nic(0).Renew(qp, 50'000);
    EXPECT_EQ(lab.nic(0).requester(qp).rate.current, GigabitsPerSecond(100));
  });
}

TEST(NicCongestion, CoalescedPerQueuePairThereIsOneCnpInFiftyMicroseconds) {
  // Every packet of two queue pairs is marked. CNPs in 500 us are at 0, 50, …, ten or eleven for each.
  InChild([] {
    Lab lab(Marking({}, 1, 3));
    lab.Post(0, lab.Connect(0, 1), 100'000'000);
    lab.Post(0, lab.Connect(0, 1), 100'000'000);
    RunUntil(Microseconds(500));
    std::map<uint32_t, Time> last;
    std::map<uint32_t, int> count;
    for (const auto& cnp : lab.Of(1, FrameKind::cnp)) {
      if (count[cnp.qp]++ > 0) {
        EXPECT_GE(cnp.at - last[cnp.qp], Microseconds(50) - Nanoseconds(10));
      }
      last[cnp.qp] = cnp.at;
    }
    ASSERT_EQ(count.size(), 2u);
    for (const auto& [qp, n] : count) EXPECT_NEAR(n, 10, 1);
    EXPECT_EQ(lab.nic(0).counters().cnp_ignored, 0u);
  });
}

TEST(NicCongestion, PerPacketThereIsACnpForEveryMarkAndTheSenderCoalesces) {
  InChild([] {
    Scenario s = Marking({}, 10);
    const auto gen2 = FindGeneration("gen2");
    for (auto& nic : s.nics) nic.dcqcn = gen2->dcqcn;
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 1'000'000);
    RunUntil(Milliseconds(10));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.messages[0].marked, 97);  // every tenth of 977 packets
    EXPECT_EQ(lab.nic(1).counters().cnp_sent, 97u);
    const auto& c = lab.nic(0).counters();
    EXPECT_EQ(c.cnp_handled + c.cnp_ignored, 97u);
    // There is at most one cut in 50 us of its duration.
    EXPECT_LE(c.cnp_handled, static_cast<uint64_t>(lab.messages[0].completed / Microseconds(50)) + 1);
    EXPECT_GE(c.cnp_handled, 2u);
  });
}

TEST(NicCongestion, OnlyTheMarkedQueuePairSlowsDown) {
  // Two queue pairs send in turn; packet 0 is the first one's. The other takes the rest of the line.
  InChild([] {
    Lab lab(Marking({0}, 0, 3));
    const uint32_t a = lab.Connect(0, 1), b = lab.Connect(0, 2);
    lab.Post(0, a, 100'000'000);
    lab.Post(0, b, 100'000'000);
    RunUntil(Microseconds(40));
    EXPECT_EQ(lab.nic(0).requester(a).rate.current, GigabitsPerSecond(50));
    EXPECT_EQ(lab.nic(0).requester(b).rate.current, GigabitsPerSecond(100));
    EXPECT_NEAR(static_cast<double>(lab.Of(0, FrameKind::data).size()), 40'000 / 88.48, 2);
  });
}

TEST(NicCongestion, TheCnpIsDelayedAsConfiguredAndHoldsUpNoAck) {
  // Another queue pair is not slowed down, even in the same class.
  for (const auto priority :
       {TransportParameters::AckPriority::same, TransportParameters::AckPriority::cnp}) {
    InChild([priority] {
      Scenario s = Marking({0});
      s.nics[1].dcqcn.np.cnp_delay = Microseconds(5);
      s.nics[1].tx_latency = Nanoseconds(40);
      s.nics[1].transport.ack_priority = priority;
      Lab lab(s);
      lab.Post(0, lab.Connect(0, 1), 2048);
      RunUntil(Microseconds(100));
      const auto cnp = lab.Of(1, FrameKind::cnp);
      const auto acks = lab.Of(1, FrameKind::ack);
      ASSERT_EQ(cnp.size(), 1u);
      ASSERT_EQ(acks.size(), 2u);
      EXPECT_EQ(cnp[0].at, acks[0].at + Microseconds(5));
      EXPECT_LT(lab.messages[0].completed, Microseconds(3));
    });
  }
}

TEST(NicCongestion, WithoutCongestionControlNobodyReacts) {
  // The receiver does not answer marks; a sender that gets a CNP nevertheless counts it as ignored.
  InChild([] {
    Scenario s = Marking({}, 1);
    s.nics[0].congestion_control = NicParameters::CongestionControl::none;
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 10 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.nic(1).counters().cnp_sent, 1u);
    EXPECT_EQ(lab.nic(0).counters().cnp_ignored, 1u);
    EXPECT_EQ(lab.nic(0).counters().cnp_handled, 0u);
    EXPECT_EQ(lab.nic(0).requester(0).rate.current, GigabitsPerSecond(100));
  });
}

TEST(NicCongestion, TheFlagMayTravelOnTheAck) {
  // That machine checks 4 us and 1 ns later; until then alpha, which starts at 1, has decayed four times: 1 −
  // (255/256)⁴/2.
  InChild([] {
    Scenario s = Marking({0});
    for (auto& nic : s.nics) nic.dcqcn = FindGeneration("hpcc-sim")->dcqcn;
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 1'000'000);
    RunUntil(Microseconds(20));
    EXPECT_TRUE(lab.Of(1, FrameKind::cnp).empty());
    EXPECT_EQ(lab.nic(0).counters().cnp_handled, 1u);
    EXPECT_NEAR(static_cast<double>(lab.nic(0).requester(0).rate.current.v), 100e9 * (1 - 0.98447 / 2), 1e6);
  });
}

TEST(NicCongestion, BurstsGoAtLineRateAndKeepTheAverage) {
  // 50 Gb/s in bursts of 16 KiB: 15 frames of 1106 B are 16 590 B. A burst takes 1.3272 us, and the next
  // starts 2.6544 us after it.
  InChild([] {
    Scenario s = Marking({0});
    s.nics[0].dcqcn.limiter.granularity = LimiterParameters::Granularity::burst;
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 100'000'000);
    RunUntil(Microseconds(50));
    std::vector<Time> starts;
    Time before = Microseconds(10);
    for (const auto& f : lab.Of(0, FrameKind::data)) {
      if (f.at < Microseconds(10)) continue;
      const Time gap = f.at - before;
      if (gap > kFrame) {
        starts.push_back(f.at);
      } else if (!starts.empty()) {
        EXPECT_EQ(gap, kFrame);
      }
      before = f.at;
    }
    ASSERT_GT(starts.size(), 5u);
    for (size_t i = 2; i < starts.size(); ++i) EXPECT_EQ(starts[i] - starts[i - 1], kFrame * 30);
  });
}

TEST(NicCongestion, AfterAPauseInTheTrafficABurstIsNoLongerThanABurst) {
  // At 50 Gb/s messages of 10 KiB, 100 us apart, have ten frames each, never more than 15 back to back; then
  // 40 KiB at once leave as 15 frames, a wait, 15 frames.
  InChild([] {
    Scenario s = Marking({0});
    s.nics[0].dcqcn.limiter.granularity = LimiterParameters::Granularity::burst;
    s.nics[0].dcqcn.rp.increase_timer = Seconds(1);
    Lab lab(s);
    const uint32_t qp = lab.Connect(0, 1);
    for (int i = 0; i < 2; ++i) {
      At(Microseconds(100 * i), [&] { lab.Post(0, qp, 10 * 1024); });
    }
    At(Microseconds(200), [&] { lab.Post(0, qp, 40 * 1024); });
    RunUntil(Milliseconds(1));
    std::vector<int> lengths = {1};
    const auto data = lab.Of(0, FrameKind::data);
    for (size_t i = 1; i < data.size(); ++i) {
      if (data[i].at - data[i - 1].at > Nanoseconds(100)) {
        lengths.push_back(1);
      } else {
        ++lengths.back();
      }
    }
    EXPECT_THAT(lengths, ElementsAre(10, 10, 15, 15, 10));
  });
}

TEST(NicCongestion, ARenewedQueuePairStartsAtLineRate) {
  InChild([] {
    Lab lab(Marking({0}));
    const uint32_t qp = lab.Connect(0, 1);
    lab.Post(0, qp, 10'240);
    RunUntil(Microseconds(20));
    EXPECT_EQ(lab.nic(0).requester(qp).rate.current, GigabitsPerSecond(50));
    const uint32_t hash = lab.nic(0).requester(qp).flow_hash;
    lab.nic(0).Renew(qp, 50'000);
    EXPECT_EQ(lab.nic(0).requester(qp).rate.current, GigabitsPerSecond(100));
    EXPECT_NE(lab.nic(0).requester(qp).flow_hash, hash);
    lab.Post(0, qp, 10'240);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[1].completions, 1);
    const auto data = lab.Of(0, FrameKind::data);
    for (size_t i = 12; i < data.size(); ++i) EXPECT_EQ(data[i].at - data[i - 1].at, kFrame);
  });
}

TEST(NicCongestion, ALateCnpDoesNotSlowTheRenewedQueuePair) {
  // The CNP for packet 0 of the first message leaves 5 us after it, when the message has ended and the queue
  // pair has started afresh. The CNP for packet 50, of the second message, counts.
  InChild([] {
    Scenario s = Marking({0, 50});
    s.nics[1].dcqcn.np.cnp_delay = Microseconds(5);
    Lab lab(s);
    const uint32_t qp = lab.Connect(0, 1);
    lab.Post(0, qp, 10 * 1024);
    At(Microseconds(4), [&] {
      EXPECT_EQ(lab.messages[0].completions, 1);
      lab.nic(0).Renew(qp, 50'000);
      lab.Post(0, qp, 100'000'000);
    });
    RunUntil(Microseconds(8));
    EXPECT_EQ(lab.Of(1, FrameKind::cnp).size(), 1u);
    EXPECT_EQ(lab.nic(0).counters().cnp_ignored, 1u);
    EXPECT_EQ(lab.nic(0).counters().cnp_handled, 0u);
    EXPECT_EQ(lab.nic(0).requester(qp).rate.current, GigabitsPerSecond(100));
    RunUntil(Microseconds(20));
    EXPECT_EQ(lab.nic(0).counters().cnp_handled, 1u);
    EXPECT_EQ(lab.nic(0).requester(qp).rate.current, GigabitsPerSecond(50));
  });
}

TEST(NicCongestion, NorDoesAMarkOnAPacketOfThePreviousMessage) {
  // The timer is shorter than the round trip: the only packet is sent twice. The first copy is acknowledged,
  // the queue pair starts afresh, and then the answer to the marked second copy arrives: a CNP, or an ACK
  // with the flag.
  for (const char* generation : {"dcqcn-paper", "hpcc-sim"}) {
    InChild([generation] {
      Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(2), Time{}, 0.0});
      s.faults = {MarkFault{0, 2, {1}, 0}};
      for (auto& nic : s.nics) {
        nic.dcqcn = FindGeneration(generation)->dcqcn;
        nic.transport.rto = Microseconds(6);
      }
      Lab lab(s);
      const uint32_t qp = lab.Connect(0, 1);
      lab.on_completed = [&](uint32_t m) {
        if (m != 0) return;
        lab.nic(0).Renew(qp, 50'000);
      };
      lab.Post(0, qp, 1024);
      RunUntil(Microseconds(30));
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(lab.messages[0].retransmitted, 1);
      EXPECT_EQ(lab.messages[0].marked, 1);
      EXPECT_EQ(lab.nic(0).counters().cnp_ignored, 1u) << generation;
      EXPECT_EQ(lab.nic(0).counters().cnp_handled, 0u);
      EXPECT_EQ(lab.nic(0).requester(qp).rate.current, GigabitsPerSecond(100));
    });
  }
}

TEST(NicCongestion, APeerFollowsWithTheFirstFrameOfTheNewGeneration) {
  // The timer is shorter than the round trip: the only packet of the first message is sent twice. The queue
  // pair starts afresh when the first copy is acknowledged; the second copy, still in flight, is acknowledged
  // on the old path, and the next message on the new one.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(2), Time{}, 0.0});
    for (auto& nic : s.nics) nic.transport.rto = Microseconds(6);
    Lab lab(s);
    const uint32_t qp = lab.Connect(0, 1);
    std::vector<uint16_t> ports;
    lab.lose = [&](NodeId, const Frame& f) {
      if (f.kind == FrameKind::ack) ports.push_back(f.source_port);
      return false;
    };
    lab.on_completed = [&](uint32_t m) {
      if (m == 0) lab.nic(0).Renew(qp, 50'000);
    };
    lab.Post(0, qp, 1024);
    At(Microseconds(30), [&] { lab.Post(0, qp, 1024); });
    RunUntil(Microseconds(36));
    EXPECT_EQ(lab.messages[0].retransmitted, 1);
    EXPECT_EQ(ports, (std::vector<uint16_t>{49'152, 49'152, 50'000}));
  });
}

}  // namespace
}  // namespace headroom::nic_congestion_test

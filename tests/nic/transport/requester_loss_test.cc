// Go-back-N: lost packets are sent again, how often and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "support/in_child.h"
#include "support/lab.h"
#include "support/recovery.h"

namespace headroom::requester_loss_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

/// Loses the first transmission of these data packets.
void LoseOnce(Lab& lab, std::set<uint32_t> psns) {
  lab.lose = [psns = std::move(psns)](NodeId, const Frame& f) mutable {
    return f.kind == FrameKind::data && psns.erase(f.psn) > 0;
  };
}

TEST(NicLoss, OneGapIsOneNakAndASecondTry) {
  // Packet 10 of 100 is lost. Packet 11 causes the NAK; what was sent until it arrives is sent again, from 10
  // on.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    LoseOnce(lab, {10});
    lab.Post(0, lab.Connect(0, 1), 100 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.messages[0].deliveries, 1);
    EXPECT_EQ(lab.nic(1).counters().naks, 1u);
    EXPECT_EQ(lab.Of(1, FrameKind::nak).size(), 1u);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 0u);
    const auto data = lab.Of(0, FrameKind::data);
    EXPECT_EQ(lab.nic(0).counters().retransmitted_packets, data.size() - 100);
    EXPECT_EQ(lab.messages[0].retransmitted, static_cast<int>(data.size()) - 100);
    // A round trip is 2 × (88.48 + 10) + 2 × (6.88 + 10) + 1000 ns = 1.23 us, 14 packets.
    EXPECT_NEAR(lab.messages[0].retransmitted, 14, 2);
    size_t again = 1;
    while (data[again].psn == data[again - 1].psn + 1) ++again;
    EXPECT_EQ(data[again].psn, 10u);
    for (size_t i = again + 1; i < data.size(); ++i) EXPECT_EQ(data[i].psn, data[i - 1].psn + 1);
  });
}

TEST(NicLoss, TwoGapsAreTwoNaks) {
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    LoseOnce(lab, {10, 60});
    lab.Post(0, lab.Connect(0, 1), 100 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.nic(1).counters().naks, 2u);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 0u);
  });
}

TEST(NicLoss, TheRecoveryDelayLiesBetweenNakAndSecondTry) {
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.nics[0].transport.recovery_delay = Microseconds(200);
    Lab lab(s);
    LoseOnce(lab, {10});
    lab.Post(0, lab.Connect(0, 1), 100 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[0].completions, 1);
    const auto data = lab.Of(0, FrameKind::data);
    size_t again = 1;
    while (data[again].psn == data[again - 1].psn + 1) ++again;
    // The NAK has an ACK's 86 B on the wire: 6.88 ns and 10 ns, 500 ns, 6.88 ns and 10 ns.
    const Time nak = lab.Of(1, FrameKind::nak)[0].at + Picoseconds(2 * 16'880 + 500'000);
    EXPECT_EQ(data[again].at, nak + Microseconds(200));
    EXPECT_LT(data[again - 1].at, nak + Nanoseconds(100));  // meanwhile the receiver is silent
  });
}

TEST(NicLoss, ALostLastPacketIsFoundByTheTimer) {
  // No packet follows it, so there is no NAK. Its timer runs from the last ACK that arrived before.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    LoseOnce(lab, {9});
    lab.Post(0, lab.Connect(0, 1), 10 * 1024);
    RunUntil(Milliseconds(10));
    EXPECT_EQ(lab.nic(1).counters().naks, 0u);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
    EXPECT_EQ(lab.messages[0].retransmitted, 1);
    EXPECT_NEAR(InMicroseconds(lab.messages[0].completed), 4000 + 2 * 1.23 + 0.8, 0.5);
  });
}

TEST(NicLoss, AnAckThatIsLostIsCoveredByTheNext) {
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    int n = 0;
    lab.lose = [&n](NodeId host, const Frame& f) { return host == 1 && f.kind == FrameKind::ack && n++ < 9; };
    lab.Post(0, lab.Connect(0, 1), 10 * 1024);
    RunUntil(Milliseconds(10));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_LT(lab.messages[0].completed, Microseconds(5));
    EXPECT_EQ(lab.nic(0).counters().timeouts, 0u);
    EXPECT_EQ(lab.messages[0].retransmitted, 0);
  });
}

TEST(NicLoss, ALostLastAckIsAskedForByADuplicate) {
  // After 4 ms the last of ten packets is sent again; the receiver acknowledges it, and does not deliver it
  // twice.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    lab.lose = [lost = false](NodeId, const Frame& f) mutable {
      const bool lose = f.kind == FrameKind::ack && f.psn == 9 && !lost;
      lost = lost || lose;
      return lose;
    };
    lab.Post(0, lab.Connect(0, 1), 10 * 1024);
    RunUntil(Milliseconds(10));
    EXPECT_EQ(lab.messages[0].deliveries, 1);
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.messages[0].retransmitted, 1);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
  });
}

TEST(NicLoss, ALostNakIsMadeUpForByTheTimer) {
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    lab.lose = [data = false](NodeId, const Frame& f) mutable {
      if (f.kind == FrameKind::nak) return true;
      const bool lose = f.kind == FrameKind::data && f.psn == 10 && !data;
      data = data || lose;
      return lose;
    };
    lab.Post(0, lab.Connect(0, 1), 100 * 1024);
    RunUntil(Milliseconds(10));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.nic(1).counters().naks, 1u);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
    EXPECT_EQ(lab.messages[0].retransmitted, 90);
  });
}

TEST(NicLoss, AQueuePairGivesUpAfterItsRetries) {
  // No packet arrives: timeouts are at 4, 8, … ms, each of the ten packets has seven retries, and the eighth
  // timeout at 32 ms is the end. Messages that are posted later are not sent.
  InChild([] {
    Lab lab(StarScenario(3, kLink));
    lab.lose = [](NodeId, const Frame& f) { return f.kind == FrameKind::data && f.dst == 1; };
    const uint32_t dead = lab.Connect(0, 1), alive = lab.Connect(0, 2);
    lab.Post(0, dead, 10 * 1024);
    lab.Post(0, alive, 1024);
    At(Milliseconds(50), [&] {
      lab.Post(0, dead, 1024);
      lab.Post(0, alive, 1024);
    });
    RunUntil(Milliseconds(200));
    EXPECT_THAT(lab.errors, ElementsAre("0/0: retries exhausted"));
    EXPECT_EQ(lab.error_at, Milliseconds(32));
    EXPECT_EQ(lab.nic(0).counters().timeouts, 8u);
    EXPECT_EQ(lab.messages[0].completions, 0);
    EXPECT_EQ(lab.messages[0].retransmitted, 70);
    EXPECT_EQ(lab.messages[2].completions, 0);
    EXPECT_EQ(lab.messages[3].completions, 1);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(NicLoss, ProgressStartsTheRetriesAnew) {
  // Every packet is lost seven times before it arrives: there are 20 × 7 timeouts, and never the eighth in a
  // row.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    std::map<uint32_t, int> tries;
    lab.lose = [&tries](NodeId, const Frame& f) { return f.kind == FrameKind::data && ++tries[f.psn] <= 7; };
    const uint32_t qp = lab.Connect(0, 1);
    lab.on_completed = [&](uint32_t) {
      if (lab.messages.size() < 20) lab.Post(0, qp, 100);
    };
    lab.Post(0, qp, 100);
    RunUntil(Seconds(1));
    EXPECT_TRUE(lab.errors.empty());
    EXPECT_EQ(lab.completed.size(), 20u);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 140u);
  });
}

TEST(NicLoss, ATimerRunsFromTransmissionToTransmission) {
  // The port is paused for 100 ms, with packets in flight whose ACKs are lost. There is one timeout; the
  // second attempt leaves only after the pause, so there is no second timeout, and never an eighth.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    lab.lose = [](NodeId, const Frame& f) {
      return f.kind == FrameKind::ack && EventQueue::Get().now() < Milliseconds(1);
    };
    const uint32_t qp = lab.Connect(0, 1);
    lab.Post(0, qp, 100 * 1024);
    At(Microseconds(2), [&] { lab.nic(0).port().SetPaused(3, true); });
    At(Milliseconds(100), [&] { lab.nic(0).port().SetPaused(3, false); });
    RunUntil(Milliseconds(200));
    EXPECT_EQ(lab.messages[0].deliveries, 1);
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
    EXPECT_TRUE(lab.errors.empty());
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(NicLoss, WaitingForTheLimiterIsNoFailure) {
  // At 10 Mb/s a burst of 16 KiB is followed by 13 ms of silence, longer than three timers of 4 ms; a
  // receiver that answers every seventh packet does not acknowledge the last packet of a burst.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.faults = {MarkFault{0, 2, {}, 1}};
    s.nics[0].dcqcn.limiter.granularity = LimiterParameters::Granularity::burst;
    s.nics[0].dcqcn.rp.increase_timer = Seconds(1);
    s.nics[0].transport.retry = 2;
    s.nics[1].dcqcn.np.coalescing = NpParameters::Coalescing::per_packet;
    s.nics[1].transport.ack_every = 7;
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 100 * 1024);
    RunUntil(Seconds(1));
    EXPECT_EQ(lab.nic(0).requester(0).rate.current, MegabitsPerSecond(10));
    EXPECT_TRUE(lab.errors.empty());
    EXPECT_EQ(lab.messages[0].completions, 1);
  });
}

/// Sends random messages over random queue pairs while this share of all frames, of every kind, is lost.
void Soak(double loss, uint32_t seed, int ack_every, void (*recovery)(Scenario&) = nullptr) {
  InChild([=] {
    Scenario s = StarScenario(4, kLink);
    for (auto& nic : s.nics) {
      nic.transport.ack_every = ack_every;
      nic.transport.rto = Microseconds(100);
      nic.transport.retry = 1000;
    }
    if (recovery != nullptr) recovery(s);
    s.switches[0].ecn[3] = Ecn(20'000, 100'000, 0.2);
    Lab lab(s);
    std::mt19937 random(seed);
    lab.lose = [&](NodeId, const Frame&) { return random() % 100'000 < loss * 100'000; };
    struct QueuePair {
      NodeId src;
      uint32_t requester;
      std::vector<uint32_t> posted;
    };
    std::vector<QueuePair> qps;
    for (NodeId src = 0; src < 4; ++src) {
      for (NodeId dst = 0; dst < 4; ++dst) {
        if (src != dst) qps.push_back({src, lab.Connect(src, dst), {}});
      }
    }
    for (int i = 0; i < 400; ++i) {
      At(Nanoseconds(random() % 2'000'000), [&lab, &qps, &random] {
        QueuePair& qp = qps[random() % qps.size()];
        qp.posted.push_back(lab.Post(qp.src, qp.requester, random() % 30'000));
      });
    }
    // There are pauses of up to three timers, at every host.
    for (NodeId h = 0; h < 4; ++h) {
      Time at;
      for (int i = 0; i < 10; ++i) {
        at += Nanoseconds(random() % 300'000);
        At(at, [&lab, h] { lab.nic(h).port().SetPaused(3, true); });
        at += Nanoseconds(random() % 300'000);
        At(at, [&lab, h] { lab.nic(h).port().SetPaused(3, false); });
      }
    }
    RunUntil(Seconds(1));
    EXPECT_TRUE(lab.errors.empty());
    for (const auto& m : lab.messages) {
      ASSERT_EQ(m.deliveries, 1);
      ASSERT_EQ(m.completions, 1);
      ASSERT_LT(m.delivered, m.completed);
    }
    // On each queue pair they complete in the order in which they were posted.
    for (const QueuePair& qp : qps) {
      for (size_t i = 1; i < qp.posted.size(); ++i) {
        EXPECT_LE(lab.messages[qp.posted[i - 1]].completed, lab.messages[qp.posted[i]].completed);
      }
    }
    uint64_t retransmitted = 0, counted = 0;
    for (NodeId h = 0; h < 4; ++h) counted += lab.nic(h).counters().retransmitted_packets;
    for (const auto& m : lab.messages) retransmitted += static_cast<uint64_t>(m.retransmitted);
    EXPECT_EQ(retransmitted, counted);
    EXPECT_GT(counted, 0u);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
    for (NodeId h = 0; h < 4; ++h) {
      for (uint32_t q = 0; q < lab.nic(h).requester_count(); ++q) EXPECT_TRUE(lab.nic(h).Idle(q));
    }
  });
}

TEST(NicLoss, EveryMessageArrivesOnceAndInOrderWhateverIsLost) {
  Soak(0.001, 1, 1);
  Soak(0.02, 2, 1);
  Soak(0.1, 3, 8);
  Soak(0.4, 4, 2);
}

TEST(NicLoss, AlsoWithSelectiveRepeat) {
  Soak(0.001, 5, 1, RepeatSelectively);
  Soak(0.02, 6, 1, RepeatSelectively);
  Soak(0.1, 7, 8, RepeatSelectively);
  Soak(0.4, 8, 2, RepeatSelectively);
}

TEST(NicLoss, AlsoWithAReceiverWindow) {
  Soak(0.001, 9, 1, UseReceiverWindow);
  Soak(0.02, 10, 1, UseReceiverWindow);
  Soak(0.3, 11, 1, UseReceiverWindow);
  // There are fewer contexts than the three senders to a host.
  Soak(0.05, 12, 1, [](Scenario& s) {
    UseReceiverWindow(s);
    for (NicParameters& nic : s.nics) {
      nic.transport.recovery.contexts = 2;
      nic.transport.recovery.packets = 4;
    }
  });
}

TEST(NicLoss, AlsoWithASenderWindow) {
  Soak(0.001, 13, 1, UseSenderWindow);
  Soak(0.02, 14, 1, UseSenderWindow);
  Soak(0.3, 15, 1, UseSenderWindow);
  Soak(0.05, 16, 1, [](Scenario& s) {
    UseSenderWindow(s);
    for (NicParameters& nic : s.nics) nic.transport.recovery.packets = 3;
  });
}

TEST(NicLoss, AlsoWithCumulativeAcks) {
  Soak(0.001, 20, 1, UseCumulativeAcks);
  Soak(0.02, 21, 1, UseCumulativeAcks);
  Soak(0.3, 22, 1, UseCumulativeAcks);
}

TEST(NicLoss, AlsoWithASetUp) {
  Soak(0.001, 26, 1, SetUpSenderWindow);
  Soak(0.02, 27, 1, SetUpSenderWindow);
  Soak(0.3, 28, 1, SetUpSenderWindow);
}

TEST(NicLoss, AlsoWithACounterInContexts) {
  Soak(0.001, 23, 1, [](Scenario& s) { CountInContexts(s, 64); });
  Soak(0.02, 24, 1, [](Scenario& s) { CountInContexts(s, 64); });
  Soak(0.1, 25, 1, [](Scenario& s) { CountInContexts(s, 2); });  // fewer than the three senders to a host
}

TEST(NicLoss, AlsoWithACounter) {
  Soak(0.001, 17, 1, UseCounter);
  Soak(0.02, 18, 1, UseCounter);
  Soak(0.1, 19, 1, [](Scenario& s) {
    UseCounter(s);
    for (NicParameters& nic : s.nics) nic.transport.recovery.ahead = 2;
  });
}

}  // namespace
}  // namespace headroom::requester_loss_test

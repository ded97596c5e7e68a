// The packet counter: attempts with entire messages. The sender's window: buffers for peers. The hardware
// that both schemes need in NICs.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "nic/transport/recovery/hardware.h"
#include "support/in_child.h"
#include "support/lab.h"
#include "support/lost_frames.h"
#include "support/recovery.h"

namespace headroom::packet_counter_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(PacketCounter, TriesAreOneByTheChanceThatNothingIsLost) {
  // 400 messages of n packets, with a share p of the data lost. An attempt succeeds with q = (1 - p)^n: 1/q
  // attempts on average, with a standard deviation of sqrt(1 - q)/q.
  for (const auto& [packets, loss] : {std::pair{32, 0.01}, std::pair{256, 0.004}}) {
    InChild([packets = packets, loss = loss] {
      Scenario s = StarScenario(2, kLink);
      UseCounter(s);
      for (NicParameters& nic : s.nics) nic.transport.retry = 1000;
      Lab lab(s);
      std::mt19937_64 random(11);
      lab.lose = [&, loss = loss](NodeId, const Frame& f) {
        return f.kind == FrameKind::data && std::uniform_real_distribution<>()(random) < loss;
      };
      const uint32_t qp = lab.Connect(0, 1);
      constexpr int kMessages = 400;
      for (int i = 0; i < kMessages; ++i) lab.Post(0, qp, packets * 1024);
      RunUntil(Seconds(2));
      double sent = 0;
      for (const Lab::Message& m : lab.messages) {
        ASSERT_EQ(m.completions, 1);
        ASSERT_EQ(m.deliveries, 1);
        ASSERT_EQ(m.retransmitted % packets, 0);  // entire attempts
        sent += 1 + m.retransmitted / packets;
      }
      const double q = std::pow(1 - loss, packets), tries = sent / kMessages;
      EXPECT_NEAR(tries, 1 / q, 4 * std::sqrt(1 - q) / q / std::sqrt(kMessages)) << packets;
    });
  }
}

/// The time of a message of 100 packets on an idle path, in ps. `asks`: numbers of requests for a context.
int64_t TimeOfAMessage(void (*recover)(Scenario&), size_t asks) {
  return std::stoll(TextFromChild([&] {
    Scenario s = StarScenario(2, kLink);
    recover(s);
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 100 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.Of(0, FrameKind::ask).size(), asks);
    EXPECT_EQ(lab.Of(1, FrameKind::grant).size(), asks);
    EXPECT_EQ(lab.Of(0, FrameKind::data).size(), 100u);
    EXPECT_EQ(lab.Of(1, FrameKind::ack).size(), 1u);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
    return std::to_string(lab.messages[0].completed.v);
  }));
}

TEST(PacketCounter, AContextCostsTheRoundTripOfItsRequest) {
  // The receiver's window has the same request and grant. Its packets have 8 bytes more than those of
  // go-back-N, as the counter's have, but only the first has a RETH of 16 bytes.
  const int64_t window = TimeOfAMessage(UseReceiverWindow, 1);
  const int64_t counter = TimeOfAMessage([](Scenario& s) { CountInContexts(s, 64); }, 1);
  EXPECT_NEAR(counter - window, SerializationTime(Bytes(99 * 16), kLink.rate).v, 5'000);
  EXPECT_GT(counter, TimeOfAMessage(UseCounter, 0) + 4 * kLink.delay.v);
}

TEST(PacketCounter, NothingIsLostWithAnyFrameOfATransfer) {
  // Two messages of 5 packets make two requests and grants, ten packets, two answers. Each of these frames is
  // lost once.
  Scenario s = StarScenario(2, kLink);
  CountInContexts(s, 64);
  ExpectNothingIsLost(s, 16, Microseconds(220));
}

TEST(SenderWindow, ASetUpCostsTheRoundTripOfItsRequest) {
  const auto time_of = [](void (*recover)(Scenario&), size_t asks) {
    return std::stoll(TextFromChild([&] {
      Scenario s = StarScenario(2, kLink);
      recover(s);
      Lab lab(s);
      lab.Post(0, lab.Connect(0, 1), 100 * 1024);
      RunUntil(Milliseconds(1));
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(lab.Of(0, FrameKind::ask).size(), asks);
      EXPECT_EQ(lab.Of(1, FrameKind::grant).size(), asks);
      EXPECT_EQ(lab.network->pool().in_use(), 0u);
      return std::to_string(lab.messages[0].completed.v);
    }));
  };
  // Both frames pass two links and the switch. The request has 78 B, the answer 66 B, each with 20 B of gap.
  const Time trip = SerializationTime(Bytes(78 + 66 + 2 * 20), kLink.rate) * 2 + kLink.delay * 4 +
                    StarScenario(2, kLink).switches[0].latency * 2;
  EXPECT_EQ(time_of(SetUpSenderWindow, 1) - time_of(UseCumulativeAcks, 0), trip.v);
}

TEST(SenderWindow, NothingIsLostWithAnyFrameOfASetUp) {
  // Two messages of 5 packets make two requests and grants, ten packets and their ACKs. Each of these frames
  // is lost once.
  Scenario s = StarScenario(2, kLink);
  SetUpSenderWindow(s);
  ExpectNothingIsLost(s, 24, Microseconds(220));
}

TEST(SenderWindow, WithCumulativeAcksATimeoutSendsTheWholeBufferAgain) {
  // Packet 10 of 300 is lost; 11 to 137 arrive, but stay in the buffer of 128 packets. The path is longer
  // than the buffer, so all of it leaves again before the ACK of packet 10.
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(10), Time{}, 0.0});
    UseCumulativeAcks(s);
    Lab lab(s);
    int lost = 0;
    lab.lose = [&](NodeId, const Frame& f) {
      return f.kind == FrameKind::data && f.psn == 10 && lost++ == 0;
    };
    lab.Post(0, lab.Connect(0, 1), 300 * 1024);
    RunUntil(Milliseconds(2));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.messages[0].deliveries, 1);
    EXPECT_EQ(lab.messages[0].retransmitted, 128);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
    for (const Lab::Sent& ack : lab.Of(1, FrameKind::ack)) EXPECT_EQ(ack.bytes, 66u);  // names no packet
  });
}

TEST(SenderWindow, ATimeoutSendsAllOfTheBufferAndNothingElse) {
  // Packet 10 of 300 is lost, and 10 to 137 are in the buffer of 128 packets when the window is full. 11 to
  // 137 are acknowledged one by one, so that only 10 is left when the timer fires; then the rest is sent.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    UseSenderWindow(s);
    Lab lab(s);
    int lost = 0;
    lab.lose = [&](NodeId, const Frame& f) {
      return f.kind == FrameKind::data && f.psn == 10 && lost++ == 0;
    };
    lab.Post(0, lab.Connect(0, 1), 300 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.messages[0].retransmitted, 1);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 1u);
    EXPECT_EQ(lab.Of(1, FrameKind::ack).size(), 300u);
    EXPECT_EQ(lab.Of(1, FrameKind::nak).size(), 0u);
  });
}

TEST(SenderWindow, QueuePairsToAPeerShareItsBuffer) {
  // Eight queue pairs lead to one host and one to another. At most 6 packets are in flight to each, whatever
  // is lost. After a timeout no new packet leaves until all have been acknowledged.
  InChild([] {
    Scenario s = StarScenario(3, kLink);
    UseSenderWindow(s);
    for (NicParameters& nic : s.nics) nic.transport.recovery.packets = 6;
    Lab lab(s);
    std::mt19937 random(3);
    lab.lose = [&](NodeId, const Frame&) { return random() % 50 == 0; };
    std::map<NodeId, std::vector<uint32_t>> qps;
    for (int i = 0; i < 8; ++i) qps[1].push_back(lab.Connect(0, 1));
    qps[2].push_back(lab.Connect(0, 2));
    for (const auto& [peer, of] : qps) {
      for (const uint32_t qp : of) lab.Post(0, qp, 100'000);
    }
    for (Time at; at < Milliseconds(20); at += Microseconds(1)) {
      At(at, [&] {
        for (const auto& [peer, of] : qps) {
          uint64_t left = 0;  // more than the buffer holds is acknowledged, but not in order
          for (const uint32_t qp : of)
            left += lab.nic(0).requester(qp).high_psn > lab.nic(0).requester(qp).una_psn;
          EXPECT_LE(left, 6u);
        }
      });
    }
    RunUntil(Milliseconds(100));
    for (const Lab::Message& m : lab.messages) {
      EXPECT_EQ(m.completions, 1);
      EXPECT_EQ(m.deliveries, 1);
    }
  });
}

TEST(Hardware, IsTheSumOfItsFields) {
  TransportParameters p;
  using Type = RecoveryParameters::Type;
  EXPECT_EQ(*HardwareOf(p, 1024, 15).context_bits, 0);
  p.recovery.type = Type::receiver_window;  // base, vector, timer, flag, node, context, message
  EXPECT_EQ(*HardwareOf(p, 1024, 15).context_bits, 32 + 128 + 16 + 1 + 16 + 12 + 20);
  EXPECT_EQ(*HardwareOf(p, 1024, 15).contexts, 64);
  p.recovery.type = Type::sender_window;  // ACKs, a PSN and a timer, and the packets for each of 15 peers
  EXPECT_EQ(*HardwareOf(p, 1024, 15).context_bits, 128 + 24 + 16);
  EXPECT_EQ(HardwareOf(p, 1024, 15).buffer_bits, 128 * 1024 * 8);
  EXPECT_EQ(*HardwareOf(p, 1024, 15).contexts, 15);
  p.recovery.type = Type::counter;  // a count, an attempt, a timer
  EXPECT_EQ(*HardwareOf(p, 1024, 15).context_bits, 32 + 32 + 16);
  EXPECT_FALSE(HardwareOf(p, 1024, 15).contexts);
  p.recovery.connects = true;  // and a flag, the node and its context
  EXPECT_EQ(*HardwareOf(p, 1024, 15).context_bits, 32 + 32 + 16 + 1 + 16 + 12);
  EXPECT_EQ(*HardwareOf(p, 1024, 15).contexts, 64);
  p.recovery.connects = false;
  p.recovery.type = Type::selective_repeat;
  EXPECT_FALSE(HardwareOf(p, 1024, 15).context_bits);
  p.window = {SendWindow::Kind::bytes, Bytes(100 * 1024)};
  EXPECT_EQ(*HardwareOf(p, 1024, 15).context_bits, 4 * 100);
}

}  // namespace
}  // namespace headroom::packet_counter_test

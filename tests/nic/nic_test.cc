// Transmission and reception without losses.
#include "nic/nic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/in_child.h"
#include "support/lab.h"

namespace headroom::nic_test {
namespace {

using testing::ElementsAre;

// Links have 100 Gb/s and 10 ns; the switch takes 500 ns. Sizes on the wire: a first frame of 1024 B payload
// 1122 B, 89.76 ns; another frame 1106 B, 88.48 ns; an ACK 86 B, 6.88 ns.
const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(Nic, AWriteAndItsAck) {
  // Forward: 30 ns of pipeline, 89.76 + 10, 500, 89.76 + 10, and 40 ns until it takes effect: delivered.
  // Back: 20 ns of pipeline, 6.88 + 10, 500, 6.88 + 10, and 50 ns until it takes effect: completed.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.nics[0].tx_latency = Nanoseconds(30);
    s.nics[0].rx_latency = Nanoseconds(50);
    s.nics[1].tx_latency = Nanoseconds(20);
    s.nics[1].rx_latency = Nanoseconds(40);
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 1024);
    RunUntil(Milliseconds(1));
    const Time delivered = Nanoseconds(30 + 2 * 10 + 500 + 40) + Picoseconds(2 * 89'760);
    EXPECT_EQ(lab.messages[0].delivered, delivered);
    EXPECT_EQ(lab.messages[0].completed,
              delivered + Nanoseconds(20 + 2 * 10 + 500 + 50) + Picoseconds(2 * 6'880));
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(Nic, CutsAMessageIntoPackets) {
  // 2500 B are packets of 1024, 1024, 452 B. The RETH is in the first: frames have 1102, 1086, 514 B. An
  // empty message is one packet, 78 B.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    const uint32_t qp = lab.Connect(0, 1);
    lab.Post(0, qp, 2500);
    lab.Post(0, qp, 0);
    lab.Post(0, qp, 1);
    RunUntil(Milliseconds(1));
    std::vector<uint32_t> sizes;
    for (const auto& f : lab.Of(0, FrameKind::data)) sizes.push_back(f.bytes);
    EXPECT_THAT(sizes, ElementsAre(1102, 1086, 514, 78, 79));
    EXPECT_THAT(lab.completed, ElementsAre(0, 1, 2));
    EXPECT_EQ(lab.nic(1).counters().data_packets, 5u);
    EXPECT_EQ(lab.nic(0).counters().sent_bytes, lab.nic(1).counters().delivered_bytes);
    EXPECT_EQ(lab.nic(1).counters().sent_bytes, 5u * 66);
  });
}

TEST(Nic, PipelineLatencyHidesBehindTransmission) {
  // Ten packets leave back to back after 1 us of pipeline for the first.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.nics[0].tx_latency = Microseconds(1);
    Lab lab(s);
    lab.Post(0, lab.Connect(0, 1), 10'240);
    RunUntil(Milliseconds(1));
    const auto sent = lab.Of(0, FrameKind::data);
    ASSERT_EQ(sent.size(), 10u);
    EXPECT_EQ(sent[0].at, Microseconds(1));
    for (size_t i = 1; i < sent.size(); ++i) {
      EXPECT_EQ(sent[i].at - sent[i - 1].at, Picoseconds(i == 1 ? 89'760 : 88'480));
    }
  });
}

/// Returns the number of ACKs for ten packets and then three.
size_t AcksOf(int ack_every) {
  return std::stoul(TextFromChild([ack_every] {
    Scenario s = StarScenario(2, kLink);
    s.nics[1].transport.ack_every = ack_every;
    Lab lab(s);
    const uint32_t qp = lab.Connect(0, 1);
    lab.Post(0, qp, 10 * 1024);
    lab.Post(0, qp, 3 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.completed.size(), 2u);
    return std::to_string(lab.Of(1, FrameKind::ack).size());
  }));
}

TEST(Nic, AcksEveryNthPacketAndTheLast) {
  EXPECT_EQ(AcksOf(1), 13u);
  EXPECT_EQ(AcksOf(4), 4u);  // ACKs after packets 4, 8, 10 and 3
  EXPECT_EQ(AcksOf(100), 2u);
}

TEST(Nic, AcksTravelInTheirQueuePairsClassOrInTheCnps) {
  for (const auto priority :
       {TransportParameters::AckPriority::same, TransportParameters::AckPriority::cnp}) {
    InChild([priority] {
      Scenario s = StarScenario(2, kLink);
      s.nics[1].transport.ack_priority = priority;
      Lab lab(s);
      lab.Post(0, lab.Connect(0, 1), 100);
      RunUntil(Milliseconds(1));
      const auto acks = lab.Of(1, FrameKind::ack);
      ASSERT_EQ(acks.size(), 1u);
      EXPECT_EQ(acks[0].priority, priority == TransportParameters::AckPriority::same ? 3 : 6);
    });
  }
}

TEST(Nic, QueuePairsTakeTurnsPacketByPacket) {
  // Eight queue pairs have endless messages; three more join after 20 us. The packets of the first eight
  // differ by at most one, and so do those of the other three.
  InChild([] {
    Lab lab(StarScenario(12, kLink));
    for (NodeId to = 1; to <= 8; ++to) lab.Post(0, lab.Connect(0, to), 100'000'000);
    At(Microseconds(20), [&] {
      for (NodeId to = 9; to <= 11; ++to) lab.Post(0, lab.Connect(0, to), 100'000'000);
    });
    RunUntil(Microseconds(100));
    std::map<uint32_t, int> sent;
    for (uint32_t qp = 0; qp < 11; ++qp) sent[qp] = static_cast<int>(lab.nic(0).requester(qp).next_psn);
    for (uint32_t qp = 1; qp < 8; ++qp) EXPECT_NEAR(sent[qp], sent[1], 1);
    EXPECT_NEAR(sent[0], sent[1] + 1, 1);  // its first packet left before the others were posted
    for (uint32_t qp = 8; qp < 11; ++qp) EXPECT_NEAR(sent[qp], sent[8], 1);
    // 20 us among eight and 80 us among eleven, with 88.48 ns a packet: 28.3 + 82.2 = 110.4 and 82.2.
    EXPECT_NEAR(sent[0], 110, 2);
    EXPECT_NEAR(sent[8], 82, 2);
  });
}

TEST(Nic, AMessagePostedOnCompletionFollowsAtOnce) {
  // One message is in flight, and the completion of each posts the next: there are a hundred round trips.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    const uint32_t qp = lab.Connect(0, 1);
    lab.on_completed = [&](uint32_t) {
      if (lab.messages.size() < 100) lab.Post(0, qp, 1024);
    };
    lab.Post(0, qp, 1024);
    RunUntil(Milliseconds(1));
    ASSERT_EQ(lab.completed.size(), 100u);
    for (size_t i = 1; i < 100; ++i) {
      EXPECT_EQ(lab.messages[i].completed - lab.messages[i - 1].completed, lab.messages[0].completed);
    }
  });
}

TEST(Nic, AFrameForAnotherHostIsDropped) {
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    Frame* f = lab.network->pool().Take();
    f->bytes = 100;
    f->dst = 1;
    lab.nic(0).Receive(lab.nic(0).port(), f);
    EXPECT_EQ(lab.nic(0).port().statistics().drops(0).packets[static_cast<int>(DropReason::no_route)], 1u);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(Nic, ReadResponsesOfBulkCarryTheirSequenceOnlyWhereFramesAreCaptured) {
  for (const bool captured : {false, true}) {
    InChild([captured] {
      Lab lab(StarScenario(2, kLink));
      if (captured) lab.network->pool().SetCaptured();
      const uint32_t reader = lab.nic(0).AddQueuePair(1, 3, 49152);
      int responses = 0, extended = 0;
      lab.lose = [&](NodeId, const Frame& f) {
        if (f.kind == FrameKind::data && IsReadResponse(f.opcode)) {
          ++responses;
          extended += lab.network->pool().ExtensionOf(f) != nullptr;
        }
        return false;
      };
      lab.messages.emplace_back();
      lab.nic(0).Post(reader, 0, 2500, Operation::read_request);
      RunUntil(Milliseconds(1));
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(responses, 3);
      EXPECT_EQ(extended, captured ? 2 : 0);
    });
  }
}

}  // namespace
}  // namespace headroom::nic_test

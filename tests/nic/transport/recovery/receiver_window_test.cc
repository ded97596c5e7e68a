// The receiver's window: contexts, repeated requests, and late packets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "nic/transport/recovery/receiver_window.h"
#include "support/in_child.h"
#include "support/lab.h"
#include "support/late_frames.h"
#include "support/lost_frames.h"
#include "support/recovery.h"
#include "support/verbs_lab.h"

namespace headroom::receiver_window_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

Scenario Windowed(int hosts = 2) {
  Scenario s = StarScenario(hosts, kLink);
  UseReceiverWindow(s);
  return s;
}

TEST(ReceiverWindow, AMessageAsksAndIsCompletedByOneAnswer) {
  // 100 packets take a request, its grant, the data without an ACK, and one answer at the end.
  InChild([] {
    Lab lab(Windowed());
    lab.Post(0, lab.Connect(0, 1), 100 * 1024);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.Of(0, FrameKind::ask).size(), 1u);
    EXPECT_EQ(lab.Of(0, FrameKind::data).size(), 100u);
    EXPECT_EQ(lab.Of(1, FrameKind::grant).size(), 1u);
    EXPECT_EQ(lab.Of(1, FrameKind::ack).size(), 1u);
    EXPECT_EQ(lab.Of(1, FrameKind::nak).size(), 0u);
    // Frames have 62 bytes of headers and 8 of context, message and index; the first has a RETH, and so does
    // the request.
    EXPECT_EQ(lab.Of(0, FrameKind::data)[0].bytes, 1024u + 62 + 8 + 16);
    EXPECT_EQ(lab.Of(0, FrameKind::data)[1].bytes, 1024u + 62 + 8);
    EXPECT_EQ(lab.Of(0, FrameKind::ask)[0].bytes, 62u + 8 + 16);
    EXPECT_EQ(lab.Of(1, FrameKind::grant)[0].bytes, 66u + 8);
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(ReceiverWindow, EachLossOfAPacketIsOneRepetition) {
  for (const int losses : {1, 2, 3}) {
    InChild([losses] {
      Lab lab(Windowed());
      int lost = 0;
      lab.lose = [&](NodeId, const Frame& f) {
        return f.kind == FrameKind::data && f.psn == 10 && lost++ < losses;
      };
      lab.Post(0, lab.Connect(0, 1), 100 * 1024);
      RunUntil(Milliseconds(1));
      EXPECT_EQ(lab.messages[0].completions, 1);
      EXPECT_EQ(lab.Of(1, FrameKind::nak).size(), static_cast<size_t>(losses));
      EXPECT_EQ(lab.messages[0].retransmitted, losses);
      EXPECT_GT(lab.messages[0].completed, Microseconds(100) * losses);
      EXPECT_LT(lab.messages[0].completed, Microseconds(100) * losses + Microseconds(15));
    });
  }
}

TEST(ReceiverWindow, RandomLossesCauseFewMoreRepetitions) {
  // 1 to 5 per mille of all frames are lost, requests and answers among them. Messages have 1 to 128 packets
  // and fit into the window. A round trip takes 1.3 us, the timer 8 or 100 us.
  int64_t lost = 0, repeated = 0;
  for (int round = 0; round < 20; ++round) {
    const std::string counts = TextFromChild([round] {
      Scenario s = Windowed();
      for (NicParameters& nic : s.nics) nic.transport.recovery.timer = Microseconds(round % 2 == 0 ? 8 : 100);
      Lab lab(s);
      std::mt19937 random(static_cast<uint32_t>(round));
      int64_t gone = 0, again = 0;
      lab.lose = [&](NodeId, const Frame& f) {
        const bool loses = random() % 1000 < static_cast<uint32_t>(1 + round % 5);
        gone += loses && f.kind == FrameKind::data;
        return loses;
      };
      const auto qp = lab.Connect(0, 1);
      for (int i = 0; i < 100; ++i) lab.Post(0, qp, 1 + static_cast<int64_t>(random() % (128 * 1024)));
      RunUntil(Milliseconds(50));
      for (const auto& m : lab.messages) {
        EXPECT_EQ(m.completions, 1);
        again += m.retransmitted;
      }
      return std::to_string(gone) + " " + std::to_string(again);
    });
    std::istringstream in(counts);
    int64_t gone = 0, again = 0;
    in >> gone >> again;
    lost += gone;
    repeated += again;
  }
  EXPECT_GT(lost, 200);
  EXPECT_LE(static_cast<double>(repeated), 1.1 * static_cast<double>(lost)) << repeated << " for " << lost;
}

TEST(ReceiverWindow, PacketsBeyondTheWindowAreDroppedAndSentOnceMore) {
  // Packet 0 is lost. Of 40 packets the window of 16 reaches 1 to 16; 17 to 39 are dropped as long as 0 is
  // missing. The first dropped packet reveals the loss: the timer of 100 us is not needed.
  InChild([] {
    Scenario s = Windowed();
    for (NicParameters& nic : s.nics) nic.transport.recovery.packets = 16;
    Lab lab(s);
    int lost = 0;
    lab.lose = [&](NodeId, const Frame& f) { return f.kind == FrameKind::data && f.psn == 0 && lost++ == 0; };
    lab.Post(0, lab.Connect(0, 1), 40 * 1024);
    RunUntil(Microseconds(50));
    EXPECT_EQ(lab.messages[0].completions, 1);
    EXPECT_EQ(lab.messages[0].deliveries, 1);
    EXPECT_GT(lab.messages[0].retransmitted, 1);
    EXPECT_LE(lab.messages[0].retransmitted, 1 + 23);
  });
}

/// The number of repeated packets among 1000 that arrive up to `disorder` packet times late.
int ResentWith(int packets, int64_t disorder) {
  Scenario s = Windowed();
  for (NicParameters& nic : s.nics) nic.transport.recovery.packets = packets;
  Lab lab(s);
  std::mt19937 random(5);
  lab.lose = [&](NodeId, const Frame& f) {
    if (f.kind != FrameKind::data) return false;
    const Time packet = SerializationTime(Bytes(f.bytes + 20), kLink.rate);
    const Time late = packet * static_cast<int64_t>(random() % static_cast<uint64_t>(disorder));
    ComesAt(EventQueue::Get().now() + Microseconds(1) + late, lab.nic(1), lab.network->pool(), f);
    return true;
  };
  lab.Post(0, lab.Connect(0, 1), 1000 * 1024);
  RunUntil(Milliseconds(20));
  EXPECT_EQ(lab.messages[0].deliveries, 1);
  EXPECT_EQ(lab.messages[0].completions, 1);
  return lab.messages[0].retransmitted;
}

TEST(ReceiverWindow, NothingIsSentAgainForDisorderWithinTheWindow) {
  // The timer of 100 us is longer than 64 packets of 90 ns.
  InChild([] { EXPECT_EQ(ResentWith(64, 64), 0); });
  InChild([] { EXPECT_EQ(ResentWith(128, 64), 0); });
  InChild([] { EXPECT_GT(ResentWith(32, 64), 0); });
}

/// Two WRITEs of eight packets, one after the other, in the same context. A duplicate of packet 3 of the
/// first WRITE arrives when the second has its context and packet 3 is on its way. Returns whether the memory
/// is then right.
bool IsExactWith(bool message_id) {
  Scenario s = Windowed();
  for (NicParameters& nic : s.nics) {
    nic.transport.recovery.message_id = message_id;
    nic.transport.recovery.ahead = 1;
  }
  VerbsLab lab(s);
  const auto pair = lab.Connect(0, 1);
  constexpr uint32_t kBytes = 8 * 1024;
  std::vector<uint8_t> source(2 * kBytes), window(2 * kBytes);
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<uint8_t>(1 + i / 1024);
  const MemoryRegion* from = lab.verbs(0).RegMr(0, source.size(), 0, source);
  const MemoryRegion* to = lab.verbs(1).RegMr(0, window.size(), kLocalWrite | kRemoteWrite, window);
  Frame* duplicate = nullptr;
  FramePool& pool = lab.network->pool();
  lab.lose = [&](NodeId, const Frame& f) {
    if (f.kind != FrameKind::data) return false;
    if (f.psn == 3) duplicate = CopyOf(pool, f);
    if (f.psn == 8) {
      Nic& nic = lab.network->nic(1);
      At(EventQueue::Get().now() + Nanoseconds(1), [&nic, duplicate] { nic.Receive(nic.port(), duplicate); });
    }
    return false;
  };
  for (uint64_t i = 0; i < 2; ++i) {
    SendWr wr = Signaled(WrOpcode::rdma_write, i, kBytes);
    wr.sge.addr = wr.remote_addr = i * kBytes;
    wr.sge.lkey = from->lkey;
    wr.rkey = to->rkey;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
  }
  RunUntil(Milliseconds(1));
  EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_a)), ElementsAre(0, 1));
  EXPECT_EQ(lab.counters(1).discarded_packets, message_id ? 1u : 0u);
  EXPECT_EQ(lab.network->nic(1).contexts()->most(), 1u);
  return window == source;
}

TEST(ReceiverWindow, ADuplicateOfAnEarlierMessageIsToldByItsNumberAlone) {
  InChild([] { EXPECT_TRUE(IsExactWith(true)); });
  InChild([] { EXPECT_FALSE(IsExactWith(false)); });
}

TEST(ReceiverWindow, NothingIsLostWithAnyFrameOfATransfer) {
  // Two messages of 5 packets make two requests and grants, ten packets, two answers. Each of these frames is
  // lost once.
  ExpectNothingIsLost(Windowed(), 16, Microseconds(120));
}

}  // namespace
}  // namespace headroom::receiver_window_test

// Packets are counted in 64 bits; the part of a count in a frame suffices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "nic/verbs/bring_up.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/lab.h"
#include "workload/types/list.h"

namespace headroom::psn_test {
namespace {

using testing::Each;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};
constexpr uint64_t kTwo32 = uint64_t{1} << 32;
constexpr Time kConnected = Microseconds(2);

TEST(Psn, IsWholeAgainNearAnyCount) {
  for (const uint64_t near : {uint64_t{5}, kTwo32 - 1, kTwo32, kTwo32 + 7, 5 * kTwo32 - 2, 9 * kTwo32 + 77}) {
    for (const int64_t away : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{1} << 23, -(int64_t{1} << 23),
                               (int64_t{1} << 31) - 1, -(int64_t{1} << 31)}) {
      if (away < 0 && near < static_cast<uint64_t>(-away)) continue;
      const uint64_t psn = near + static_cast<uint64_t>(away);
      EXPECT_EQ(WholePsn(static_cast<uint32_t>(psn), near), psn) << near << " + " << away;
    }
  }
}

/// A connection of bulk that has already carried `packets`. Its first message, of one packet, creates the
/// responder.
uint32_t ConnectAfter(Lab& lab, uint64_t packets) {
  const uint32_t qp = lab.Connect(0, 1);
  lab.Post(0, qp, 1);
  RunUntil(kConnected);
  EXPECT_EQ(lab.completed.size(), 1u);
  lab.messages.clear();
  lab.completed.clear();
  lab.sent.clear();
  auto& r = const_cast<Requester&>(lab.nic(0).requester(qp));
  r.next_psn = r.una_psn = r.end_psn = r.high_psn = packets;
  const_cast<Responder&>(lab.nic(1).responder(0)).expected_psn = packets;
  return qp;
}

TEST(Psn, OfBulkGoesBeyond32Bits) {
  // Packets from 2^32 − 5 on, in messages of three. Those with low bits 2^32 − 2, 0 and 4 are lost once,
  // while all are in flight: there is one NAK, and all from the first on are sent again.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    const uint32_t qp = ConnectAfter(lab, kTwo32 - 5);
    std::set<uint32_t> lost{UINT32_MAX - 1, 0, 4};
    lab.lose = [&lost](NodeId, const Frame& f) { return f.kind == FrameKind::data && lost.erase(f.psn) > 0; };
    for (int i = 0; i < 10; ++i) lab.Post(0, qp, 3000);
    RunUntil(Milliseconds(50));
    for (const Lab::Message& m : lab.messages) {
      EXPECT_EQ(m.deliveries, 1);
      EXPECT_EQ(m.completions, 1);
    }
    EXPECT_TRUE(lost.empty());
    EXPECT_EQ(lab.nic(1).counters().naks, 1u);
    EXPECT_EQ(lab.nic(0).requester(qp).una_psn, kTwo32 + 25);
    EXPECT_TRUE(lab.errors.empty());
  });
}

TEST(Psn, OfAReliableQueuePairIsAheadOfTheOldestUnknownByNoMoreThanItsWindow) {
  // The state is as if 2^23 − 3 packets were in flight: three more may leave, the others after the first ACK.
  InChild([] {
    Lab lab(StarScenario(2, kLink));
    const uint32_t qp = ConnectAfter(lab, 2 * kPsnWindow);
    const_cast<Requester&>(lab.nic(0).requester(qp)).una_psn -= kPsnWindow - 3;
    for (int i = 0; i < 10; ++i) lab.Post(0, qp, 1000);
    RunUntil(kConnected + Nanoseconds(600));
    EXPECT_EQ(lab.Of(0, FrameKind::data).size(), 3u);
    EXPECT_TRUE(lab.completed.empty());
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.Of(0, FrameKind::data).size(), 10u);
    EXPECT_EQ(lab.completed.size(), 10u);
    EXPECT_EQ(lab.nic(0).counters().timeouts, 0u);
  });
}

TEST(Psn, OfVerbsGoesBeyond32Bits) {
  // WRITEs, SENDs and READs of three packets each, from 2^32 − 5 on; every ninth frame of either host is
  // lost, up to 20 frames.
  for (const bool reliable : {true, false}) {
    InChild([reliable] {
      VerbsLab lab(StarScenario(2, kLink));
      QpInitAttr init;
      init.type = reliable ? QpType::rc : QpType::uc;
      const auto pair = lab.Make(0, 1, init);
      QpAttr attr;
      attr.sq_psn = attr.rq_psn = UINT32_MAX - 4;
      BringUp(lab, pair, attr);
      const MemoryRegion* remote = lab.verbs(1).RegMr(0, 4000, kRemoteRead | kRemoteWrite | kLocalWrite);
      int frames = 0;
      lab.lose = [&](NodeId, const Frame&) { return reliable && ++frames % 9 == 0 && frames <= 180; };
      constexpr uint64_t kMessages = 30;
      for (uint64_t i = 0; i < kMessages; ++i) {
        lab.verbs(1).PostRecv(pair.b, {100 + i, {0, 4000, 0}});
        const WrOpcode opcode = i % 3 == 0                ? WrOpcode::send
                                : i % 3 == 1 || !reliable ? WrOpcode::rdma_write
                                                          : WrOpcode::rdma_read;
        SendWr wr = Signaled(opcode, i, 3000);
        wr.rkey = remote->rkey;
        EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
      }
      RunUntil(Milliseconds(500));
      const auto sent = VerbsLab::PollAll(pair.cq_a), received = VerbsLab::PollAll(pair.cq_b);
      EXPECT_EQ(sent.size(), kMessages);
      EXPECT_THAT(VerbsLab::Statuses(sent), Each(WcStatus::success));
      EXPECT_EQ(received.size(), kMessages / 3);
      EXPECT_EQ(lab.network->nic(0).requester(0).next_psn, kTwo32 - 5 + 3 * kMessages);
    });
  }
}

TEST(Psn, AMessageOfMorePacketsThanThirtyTwoBitsCountRuns) {
  // 10 TB are 9.8e9 packets. There is a WRITE, and a READ with one request for all packets; 20 us at 100 Gb/s
  // are about 200 of them.
  for (const Operation verb : {Operation::write, Operation::read_request}) {
    InChild([verb] {
      Scenario s = StarScenario(2, kLink);
      s.duration = s.deadline = Microseconds(20);
      ListArrivals a;
      a.messages = {{Time{}, 0, 1, Bytes(10'000'000'000'000), std::nullopt}};
      s.workloads = {WorkloadOf("huge", a)};
      s.workloads[0].verb = verb;
      s.workloads[0].type = "list";
      const RunRecord r = headroom::Run(s, {});
      EXPECT_EQ(r.status, RunStatus::deadline);
      ASSERT_EQ(r.messages.size(), 1u);
      EXPECT_FALSE(r.messages[0].Finished());
      EXPECT_TRUE(r.conservation.Ok());
      EXPECT_GT(r.conservation.delivered, 180'000u);
    });
  }
}

}  // namespace
}  // namespace headroom::psn_test

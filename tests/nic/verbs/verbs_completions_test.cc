// Events of a verbs user's operations, and their times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::verbs_completions_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(Verbs, SelectiveSignallingFreesSlotsWhenTheNextCompletionIsPolled) {
  // A send queue of 8 is filled by seven unsignalled requests and a signalled one, whatever has been sent. A
  // poll of the one completion frees all eight.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr attr;
    attr.cap.max_send_wr = 8;
    const auto pair = lab.Connect(0, 1, attr);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 64, kLocalWrite | kRemoteWrite);
    SendWr wr = Signaled(WrOpcode::rdma_write, 0, 64);
    wr.rkey = remote->rkey;
    for (wr.wr_id = 0; wr.wr_id < 8; ++wr.wr_id) {
      wr.signaled = wr.wr_id == 7;
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    }
    RunUntil(Milliseconds(1));
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), ENOMEM);
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_a)), ElementsAre(7));
    for (int i = 0; i < 8; ++i) EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), ENOMEM);
  });
}

TEST(Verbs, AllAreSignalledWhereTheQueuePairSaysSo) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr attr;
    attr.sq_sig_all = true;
    const auto pair = lab.Connect(0, 1, attr);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 64, kLocalWrite | kRemoteWrite);
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 64);
    wr.rkey = remote->rkey;
    wr.signaled = false;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_a)), ElementsAre(1));
  });
}

TEST(Verbs, AHandlerRunsOnceForEachRequest) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 64, kLocalWrite | kRemoteWrite);
    int calls = 0;
    pair.cq_a->SetHandler([&calls] { ++calls; });
    pair.cq_a->RequestNotify();
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 64);
    wr.rkey = remote->rkey;
    for (int i = 0; i < 3; ++i) lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(pair.cq_a->size(), 3u);
    pair.cq_a->RequestNotify();
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(2));
    EXPECT_EQ(calls, 2);
  });
}

TEST(Verbs, OrOnlyForWhatItsSenderSolicited) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    Time called = kNever;
    pair.cq_b->SetHandler([&called] { called = EventQueue::Get().now(); });
    pair.cq_b->RequestNotify(true);
    for (uint64_t i = 0; i < 3; ++i) {
      lab.verbs(1).PostRecv(pair.b, {i, {0, 100, 0}});
      At(Microseconds(10 * static_cast<int64_t>(i) + 1), [&lab, &pair, i] {
        SendWr wr = Signaled(WrOpcode::send, i, 100);
        wr.solicited = i == 1;
        lab.verbs(0).PostSend(pair.a, wr);
      });
    }
    RunUntil(Milliseconds(1));
    EXPECT_GT(called, Microseconds(11));
    EXPECT_LT(called, Microseconds(21));
  });
}

TEST(Verbs, BothEndsHearTheCauseOfAMessage) {
  // SENDs and a WRITE with immediate data over RC, and a datagram; of three frames (2500 B) and of one. A
  // message without immediate data delivers none, and a message sent again after a loss still has its own.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto rc = lab.Connect(0, 1);
    QpInitAttr datagrams;
    datagrams.type = QpType::ud;
    const auto ud = lab.Connect(0, 1, datagrams);
    const MemoryRegion* region = lab.verbs(1).RegMr(0, 5000, kLocalWrite | kRemoteWrite);
    const auto post = [&](const VerbsLab::Pair& pair, WrOpcode opcode, uint64_t cause, uint32_t length) {
      EXPECT_EQ(lab.verbs(1).PostRecv(pair.b, {0, {0, 5000, region->lkey}}), 0);
      SendWr wr = Signaled(opcode, 1, length);
      wr.cause = cause;
      wr.rkey = region->rkey;
      wr.ah.host = 1;
      wr.remote_qpn = Verbs::NumberOf(pair.b);
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    };
    int to_lose = 1;
    lab.lose = [&](NodeId, const Frame& f) {
      return f.kind == FrameKind::data && f.data.last && to_lose-- > 0;
    };
    constexpr uint64_t kLarge = uint64_t{7} << 40;
    post(rc, WrOpcode::send, kLarge, 2500);
    post(rc, WrOpcode::send_with_imm, 3, 10);
    post(rc, WrOpcode::rdma_write_with_imm, 4, 2500);
    post(rc, WrOpcode::send, 0, 10);
    RunUntil(Milliseconds(100));
    post(ud, WrOpcode::send, 5, 100);
    post(ud, WrOpcode::send, 0, 100);
    RunUntil(Milliseconds(101));
    const auto causes = [](CompletionQueue* cq) {
      std::vector<uint64_t> of;
      for (const Wc& wc : VerbsLab::PollAll(cq)) of.push_back(wc.cause);
      return of;
    };
    for (CompletionQueue* cq : {rc.cq_a, rc.cq_b}) EXPECT_THAT(causes(cq), ElementsAre(kLarge, 3, 4, 0));
    for (CompletionQueue* cq : {ud.cq_a, ud.cq_b}) EXPECT_THAT(causes(cq), ElementsAre(5, 0));
  });
}

TEST(Verbs, TimesOfAnOperationAreInOrder) {
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.nics[0].tx_latency = Nanoseconds(30);
    s.nics[0].rx_latency = Nanoseconds(50);
    VerbsLab lab(s);
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 2048, kLocalWrite | kRemoteWrite);
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 2048);
    wr.rkey = remote->rkey;
    At(Microseconds(1), [&] { lab.verbs(0).PostSend(pair.a, wr); });
    Wc wc;
    At(Microseconds(5), [&] { EXPECT_TRUE(pair.cq_a->Poll(wc)); });
    RunUntil(Microseconds(6));
    // The first frame is 1024 + 78 + 20 B long: 89.76 ns at 100 Gb/s.
    EXPECT_EQ(wc.times.posted, Microseconds(1));
    EXPECT_EQ(wc.times.first_sent, Nanoseconds(1030));
    EXPECT_EQ(wc.times.last_sent, Nanoseconds(1030) + Picoseconds(89'760));
    EXPECT_GT(wc.times.acknowledged, wc.times.last_sent + Microseconds(1));
    EXPECT_EQ(wc.times.completed, wc.times.acknowledged + Nanoseconds(50));
    EXPECT_EQ(wc.times.polled, Microseconds(5));
  });
}

}  // namespace
}  // namespace headroom::verbs_completions_test

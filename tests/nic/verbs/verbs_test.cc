// Operations as a verbs user meets them, where nothing goes wrong.
#include "nic/verbs/verbs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::verbs_test {
namespace {

using testing::Each;
using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

std::vector<uint8_t> Bytes0To(size_t n, uint8_t from) {
  std::vector<uint8_t> bytes(n);
  std::iota(bytes.begin(), bytes.end(), from);
  return bytes;
}

TEST(Verbs, AWriteLandsWhereItsKeyAndAddressSay) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> from = Bytes0To(3000, 7), to(5000, 0);
    const MemoryRegion* local = lab.verbs(0).RegMr(0x1000, 3000, 0, from);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0x9000, 5000, kLocalWrite | kRemoteWrite, to);
    SendWr wr = Signaled(WrOpcode::rdma_write, 42, 2500);
    wr.sge.addr = 0x1000 + 100;
    wr.sge.lkey = local->lkey;
    wr.remote_addr = 0x9000 + 1000;
    wr.rkey = remote->rkey;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(wcs.size(), 1u);
    EXPECT_EQ(wcs[0].wr_id, 42u);
    EXPECT_EQ(wcs[0].status, WcStatus::success);
    EXPECT_EQ(wcs[0].opcode, WcOpcode::rdma_write);
    EXPECT_TRUE(std::equal(from.begin() + 100, from.begin() + 2600, to.begin() + 1000));
    EXPECT_EQ(to[999], 0);
    EXPECT_EQ(to[3500], 0);
    EXPECT_EQ(pair.cq_b->size(), 0u);  // a WRITE goes unnoticed
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(Verbs, AReadFetchesInResponsesOfItsOwnPsns) {
  // 2500 B: one request of 78 B, three responses of 1024, 1024 and 452 B; the first and the last have an
  // AETH.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> to(2500, 0), from = Bytes0To(2500, 3);
    const MemoryRegion* local = lab.verbs(0).RegMr(0, 2500, kLocalWrite, to);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0x9000, 2500, kRemoteRead, from);
    SendWr wr = Signaled(WrOpcode::rdma_read, 1, 2500);
    wr.sge.lkey = local->lkey;
    wr.remote_addr = 0x9000;
    wr.rkey = remote->rkey;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(wcs.size(), 1u);
    EXPECT_EQ(wcs[0].opcode, WcOpcode::rdma_read);
    EXPECT_EQ(wcs[0].byte_len, 2500u);
    EXPECT_EQ(to, from);
    std::vector<uint32_t> bytes, psns;
    std::vector<int> opcodes;
    for (const auto& f : lab.Of(1, FrameKind::data)) {
      bytes.push_back(f.bytes);
      psns.push_back(f.psn);
      opcodes.push_back(f.opcode);
    }
    EXPECT_EQ(lab.Of(0, FrameKind::data).at(0).bytes, 78u);
    EXPECT_EQ(lab.Of(0, FrameKind::data).at(0).opcode, 0x0C);
    EXPECT_THAT(bytes, ElementsAre(1024 + 66, 1024 + 62, 452 + 66));
    EXPECT_THAT(psns, ElementsAre(0, 1, 2));
    EXPECT_THAT(opcodes, ElementsAre(0x0D, 0x0E, 0x0F));
    EXPECT_TRUE(lab.Of(0, FrameKind::ack).empty());
    EXPECT_TRUE(lab.Of(1, FrameKind::ack).empty());
  });
}

TEST(Verbs, ASendFillsTheOldestRecv) {
  // With and without immediate data; the frames: 300 + 62, and 4 more for the data.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> buffers(2000, 0);
    const MemoryRegion* region = lab.verbs(1).RegMr(0, 2000, kLocalWrite, buffers);
    for (uint64_t i = 0; i < 2; ++i) {
      EXPECT_EQ(lab.verbs(1).PostRecv(pair.b, {70 + i, {1000 * i, 1000, region->lkey}}), 0);
    }
    std::vector<uint8_t> data = Bytes0To(300, 9);
    const MemoryRegion* local = lab.verbs(0).RegMr(0, 300, 0, data);
    SendWr wr = Signaled(WrOpcode::send, 1, 300);
    wr.sge.lkey = local->lkey;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    wr.opcode = WrOpcode::send_with_imm;
    wr.imm_data = 0xCAFE;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_b);
    EXPECT_THAT(VerbsLab::Ids(wcs), ElementsAre(70, 71));
    EXPECT_EQ(wcs[0].opcode, WcOpcode::recv);
    EXPECT_EQ(wcs[0].byte_len, 300u);
    EXPECT_FALSE(wcs[0].with_imm);
    EXPECT_TRUE(wcs[1].with_imm);
    EXPECT_EQ(wcs[1].imm_data, 0xCAFEu);
    for (const size_t at : {0, 1000}) EXPECT_TRUE(std::equal(data.begin(), data.end(), buffers.begin() + at));
    EXPECT_EQ(lab.Of(0, FrameKind::data).at(0).bytes, 362u);
    EXPECT_EQ(lab.Of(0, FrameKind::data).at(1).bytes, 366u);
  });
}

TEST(Verbs, AWriteWithImmediateTakesARecvAndTellsItsLength) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 10'000, kLocalWrite | kRemoteWrite);
    EXPECT_EQ(lab.verbs(1).PostRecv(pair.b, {5, {}}), 0);
    SendWr wr = Signaled(WrOpcode::rdma_write_with_imm, 1, 5000);
    wr.rkey = remote->rkey;
    wr.imm_data = 77;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_b);
    ASSERT_EQ(wcs.size(), 1u);
    EXPECT_EQ(wcs[0].opcode, WcOpcode::recv_rdma_with_imm);
    EXPECT_EQ(wcs[0].byte_len, 5000u);
    EXPECT_EQ(wcs[0].imm_data, 77u);
    std::vector<int> opcodes;
    for (const auto& f : lab.Of(0, FrameKind::data)) opcodes.push_back(f.opcode);
    EXPECT_THAT(opcodes, ElementsAre(0x06, 0x07, 0x07, 0x07, 0x09));
  });
}

TEST(Verbs, RegisteredInPassingReadByThePeerAndInvalidatedByItsAnswer) {
  // REG_MR, then a SEND that tells the key; the peer READs and answers with SEND_WITH_INV. After that the key
  // is dead: another READ is refused.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> data = Bytes0To(800, 1), copy(800, 0);
    MemoryRegion* region = lab.verbs(0).AllocMr();
    const MemoryRegion* into = lab.verbs(1).RegMr(0, 800, kLocalWrite, copy);
    lab.verbs(0).PostRecv(pair.a, {1, {0, 64, 0}});
    lab.verbs(1).PostRecv(pair.b, {1, {0, 64, 0}});

    const uint32_t key = region->rkey + 1;
    SendWr reg = Signaled(WrOpcode::reg_mr, 10, 800);
    reg.sge.addr = 0x4000;
    reg.mr = region;
    reg.key = key;
    reg.access = kRemoteRead;
    reg.content = data.data();
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, reg), 0);
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, 11, 64)), 0);
    RunUntil(Microseconds(10));
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_a)), ElementsAre(10, 11));

    SendWr read = Signaled(WrOpcode::rdma_read, 20, 800);
    read.sge.lkey = into->lkey;
    read.remote_addr = 0x4000;
    read.rkey = key;
    EXPECT_EQ(lab.verbs(1).PostSend(pair.b, read), 0);
    SendWr answer = Signaled(WrOpcode::send_with_inv, 21, 32);
    answer.rkey = key;
    EXPECT_EQ(lab.verbs(1).PostSend(pair.b, answer), 0);
    RunUntil(Microseconds(20));
    EXPECT_EQ(copy, data);
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(wcs.size(), 1u);
    EXPECT_TRUE(wcs[0].with_inv);
    EXPECT_EQ(wcs[0].invalidated_rkey, key);
    EXPECT_FALSE(region->valid);

    VerbsLab::PollAll(pair.cq_b);
    EXPECT_EQ(lab.verbs(1).PostSend(pair.b, read), 0);
    RunUntil(Microseconds(30));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_b)), ElementsAre(WcStatus::rem_access_err));
  });
}

TEST(Verbs, ADatagramCarriesItsSenderAndLeavesRoomForTheGrh) {
  // 100 B: 62 + 8 (DETH) + 100. The RECV's buffer has 40 bytes before the payload.
  InChild([] {
    VerbsLab lab(StarScenario(3, kLink));
    QpInitAttr attr;
    attr.type = QpType::ud;
    const auto pair = lab.Make(0, 1, attr);
    QpAttr up;
    up.qkey = 0x11;
    for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
      up.state = state;
      EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, up), 0);
      EXPECT_EQ(lab.verbs(1).ModifyQp(pair.b, up), 0);
    }
    std::vector<uint8_t> buffer(140, 0), data = Bytes0To(100, 50);
    const MemoryRegion* region = lab.verbs(1).RegMr(0, 140, kLocalWrite, buffer);
    lab.verbs(1).PostRecv(pair.b, {3, {0, 140, region->lkey}});
    SendWr wr = Signaled(WrOpcode::send_with_imm, 1, 100);
    wr.inline_data = true;
    wr.content = data.data();
    wr.imm_data = 6;
    wr.ah.host = 1;
    wr.remote_qpn = Verbs::NumberOf(pair.b);
    wr.remote_qkey = 0x11;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    data.assign(100, 0);  // inline data were taken when posted
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_b);
    ASSERT_EQ(wcs.size(), 1u);
    EXPECT_TRUE(wcs[0].grh);
    EXPECT_EQ(wcs[0].byte_len, 140u);
    EXPECT_EQ(wcs[0].src, 0u);
    EXPECT_EQ(wcs[0].src_qp, Verbs::NumberOf(pair.a));
    EXPECT_EQ(wcs[0].imm_data, 6u);
    EXPECT_EQ(std::vector<uint8_t>(buffer.begin() + 40, buffer.end()), Bytes0To(100, 50));
    EXPECT_EQ(lab.Of(0, FrameKind::data).at(0).bytes, 62u + 8 + 4 + 100);
    EXPECT_EQ(lab.Of(0, FrameKind::data).at(0).opcode, 0x65);
    // It was complete when it was out: 194 B at 100 Gb/s.
    const auto sent = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].times.completed, SerializationTime(Bytes(194), GigabitsPerSecond(100)));
  });
}

TEST(Verbs, BothEndsHearTheCauseOfAMessage) {
  // Of SENDs and a WRITE with immediate data over RC, of a datagram; of three frames (2500 B) and of one.
  // What has none after them has none, and a message sent again after a loss still has its own.
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
    lab.lose = [&](NodeId, const Frame& f) { return f.kind == FrameKind::data && f.last && to_lose-- > 0; };
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

TEST(Verbs, SixteenReadsOutstandingBoundAQueuePairToSixteenPerRoundTrip) {
  // 64 B over 2 × 10 us of link each way: a round trip takes about 41 us, in which the line could carry 3000
  // requests. The k-th READ completes floor(k / 16) round trips after its like in the first sixteen.
  InChild([] {
    VerbsLab lab(StarScenario(2, {GigabitsPerSecond(100), Microseconds(10), Time{}, 0.0}));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 64, kRemoteRead);
    SendWr wr = Signaled(WrOpcode::rdma_read, 0, 64);
    wr.rkey = remote->rkey;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    const auto alone = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(alone.size(), 1u);
    const Time rtt = alone[0].times.completed - alone[0].times.posted;
    for (wr.wr_id = 0; wr.wr_id < 100; ++wr.wr_id) EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(10));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(wcs.size(), 100u);
    for (size_t k = 16; k < 100; ++k) {
      EXPECT_EQ(wcs[k].times.completed - wcs[k - 16].times.completed, rtt) << k;
    }
  });
}

TEST(Verbs, ReadResponsesAreSlowedDownByTheMarksOnThem) {
  // The first response is marked on its way to the switch: the reader's CNP halves the rate of the responder,
  // whose frames are then 2 × 88.48 ns apart.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.faults = {MarkFault{1, 2, {0}, 0}};
    VerbsLab lab(s);
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 1'000'000, kRemoteRead);
    SendWr wr = Signaled(WrOpcode::rdma_read, 1, 1'000'000);
    wr.rkey = remote->rkey;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Microseconds(50));
    EXPECT_EQ(lab.counters(0).marked_packets, 1u);
    EXPECT_EQ(lab.counters(0).cnp_sent, 1u);
    EXPECT_EQ(lab.counters(1).cnp_handled, 1u);
    EXPECT_EQ(lab.network->nic(1).requester(Verbs::NumberOf(pair.b)).rate.current, GigabitsPerSecond(50));
    EXPECT_EQ(lab.network->nic(0).requester(Verbs::NumberOf(pair.a)).rate.current, GigabitsPerSecond(100));
    const auto sent = lab.Of(1, FrameKind::data);
    EXPECT_EQ(sent.back().at - sent[sent.size() - 2].at, Picoseconds(2 * 88'480));
  });
}

TEST(Verbs, BothWaysOfAQueuePairShareItsRateByTurns) {
  // Host 1 answers a READ and WRITEs at the same time: of its frames every second is a response.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 100'000, kRemoteRead);
    const MemoryRegion* back = lab.verbs(0).RegMr(0, 100'000, kLocalWrite | kRemoteWrite);
    SendWr read = Signaled(WrOpcode::rdma_read, 1, 100'000),
           write = Signaled(WrOpcode::rdma_write, 2, 100'000);
    read.rkey = remote->rkey;
    write.rkey = back->rkey;
    lab.verbs(0).PostSend(pair.a, read);
    lab.verbs(1).PostSend(pair.b, write);
    RunUntil(Microseconds(10));
    int responses = 0, all = 0;
    for (const auto& f : lab.Of(1, FrameKind::data)) {
      if (f.at < Microseconds(3)) continue;
      ++all;
      responses += IsReadResponse(f.opcode);
    }
    EXPECT_GT(all, 70);
    EXPECT_NEAR(responses, all / 2, 1);
  });
}

TEST(Verbs, SelectiveSignallingFreesSlotsWhenTheNextCompletionIsPolled) {
  // A send queue of 8: seven unsignalled and a signalled one fill it, whatever has been sent. Polling the one
  // completion frees all eight.
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

TEST(Verbs, ASharedReceiveQueueServesWhoComesFirst) {
  InChild([] {
    VerbsLab lab(StarScenario(3, kLink));
    SharedReceiveQueue* srq = lab.verbs(2).CreateSrq(4);
    CompletionQueue* cq = lab.verbs(2).CreateCq(16);
    QueuePair* qps[2];
    uint32_t numbers[2];
    for (NodeId h = 0; h < 2; ++h) {
      QpInitAttr attr;
      attr.send_cq = attr.recv_cq = lab.verbs(h).CreateCq(16);
      qps[h] = lab.verbs(h).CreateQp(attr);
      attr.send_cq = attr.recv_cq = cq;
      attr.srq = srq;
      QueuePair* served = lab.verbs(2).CreateQp(attr);
      numbers[h] = Verbs::NumberOf(served);
      EXPECT_TRUE(ConnectQps(lab.verbs(h), qps[h], lab.verbs(2), served));
      EXPECT_EQ(lab.verbs(2).PostRecv(served, {}), EINVAL);
    }
    for (uint64_t i = 0; i < 4; ++i) EXPECT_EQ(lab.verbs(2).PostSrqRecv(srq, {i, {0, 100, 0}}), 0);
    EXPECT_EQ(lab.verbs(2).PostSrqRecv(srq, {4, {}}), ENOMEM);
    for (int i = 0; i < 3; ++i) {
      At(Microseconds(10 * i + 1),
         [&, i] { lab.verbs(i % 2).PostSend(qps[i % 2], Signaled(WrOpcode::send, 0, 50)); });
    }
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(cq);
    EXPECT_THAT(VerbsLab::Ids(wcs), ElementsAre(0, 1, 2));
    EXPECT_EQ(wcs[0].qp_num, numbers[0]);
    EXPECT_EQ(wcs[1].qp_num, numbers[1]);
    EXPECT_EQ(wcs[2].qp_num, numbers[0]);
    EXPECT_EQ(srq->posted(), 1u);
    EXPECT_EQ(lab.verbs(2).PostSrqRecv(srq, {4, {}}), 0);
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

TEST(Verbs, AFenceWaitsForTheReadsBeforeIt) {
  // A WRITE right behind a READ is on the wire before the response is in, with a fence after it.
  InChild([] {
    VerbsLab lab(StarScenario(2, {GigabitsPerSecond(100), Microseconds(10), Time{}, 0.0}));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 64, kRemoteRead | kLocalWrite | kRemoteWrite);
    SendWr read = Signaled(WrOpcode::rdma_read, 0, 64), write = Signaled(WrOpcode::rdma_write, 1, 64);
    read.rkey = write.rkey = remote->rkey;
    lab.verbs(0).PostSend(pair.a, read);
    lab.verbs(0).PostSend(pair.a, write);
    write.fence = true;
    lab.verbs(0).PostSend(pair.a, read);
    lab.verbs(0).PostSend(pair.a, write);
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(wcs.size(), 4u);
    EXPECT_LT(wcs[1].times.first_sent, wcs[0].times.completed);
    EXPECT_EQ(wcs[3].times.first_sent, wcs[2].times.completed);
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
}  // namespace headroom::verbs_test

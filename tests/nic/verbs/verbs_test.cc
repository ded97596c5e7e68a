// WRITEs, SENDs, and memory registered for them, by a verbs user without errors.
#include "nic/verbs/verbs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/verbs/content.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::verbs_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

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
    EXPECT_EQ(pair.cq_b->size(), 0u);  // a WRITE makes no completion at the peer
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

TEST(Verbs, ASendFillsTheOldestRecv) {
  // With and without immediate data; frames have 300 + 62 B, and 4 more for the data.
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
  // REG_MR is followed by a SEND with the key; the peer READs and answers with SEND_WITH_INV. After that the
  // key is invalid: another READ is refused.
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

}  // namespace
}  // namespace headroom::verbs_test

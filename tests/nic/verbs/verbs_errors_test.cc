// Failing operations of a verbs user.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "nic/verbs/bring_up.h"
#include "support/in_child.h"
#include "support/recovery.h"

namespace headroom::verbs_errors_test {
namespace {

using testing::Each;
using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

/// Host 0 posts this to host 1, which has a RECV of 100 B and a region of 1000 B with `access`. The outcome
/// at both hosts.
struct Outcome {
  std::vector<WcStatus> sender, receiver;
  QpState sender_state = QpState::reset, receiver_state = QpState::reset;
};
void Refuse(SendWr wr, unsigned access, const std::function<void(const Outcome&)>& check,
            void (*recover)(Scenario&)) {
  InChild([&] {
    Scenario s = StarScenario(2, kLink);
    recover(s);
    VerbsLab lab(std::move(s));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 1000, access);
    if (wr.rkey == 0) wr.rkey = remote->rkey;
    lab.verbs(1).PostRecv(pair.b, {1, {0, 100, 0}});
    // There is a correct request before it and one after it.
    SendWr fine = Signaled(WrOpcode::rdma_write, 0, 0);
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, fine), 0);
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, fine), 0);
    RunUntil(Milliseconds(1));
    check({VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)), VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_b)),
           Verbs::StateOf(pair.a), Verbs::StateOf(pair.b)});
    EXPECT_EQ(lab.network->pool().in_use(), 0u);
  });
}

/// The operation fails so with every recovery.
void Refuse(const SendWr& wr, unsigned access, const std::function<void(const Outcome&)>& check) {
  for (const auto recover : kRecoveries) Refuse(wr, access, check, recover);
}

void ExpectRemoteError(const SendWr& wr, unsigned access, WcStatus status, WcStatus at_receiver) {
  Refuse(wr, access, [&](const Outcome& o) {
    EXPECT_THAT(o.sender, ElementsAre(WcStatus::success, status, WcStatus::wr_flush_err));
    EXPECT_THAT(o.receiver, ElementsAre(at_receiver));
    EXPECT_EQ(o.sender_state, QpState::err);
    EXPECT_EQ(o.receiver_state, QpState::err);
  });
}

TEST(VerbsErrors, TheResponderRefusesWhatItsKeysDoNotCover) {
  constexpr auto kAccess = WcStatus::rem_access_err, kFlushed = WcStatus::wr_flush_err;
  SendWr wr = Signaled(WrOpcode::rdma_write, 1, 100);
  ExpectRemoteError(wr, kRemoteRead, kAccess, kFlushed);  // the key does not permit WRITE
  wr.opcode = WrOpcode::rdma_read;
  ExpectRemoteError(wr, kLocalWrite | kRemoteWrite, kAccess, kFlushed);  // the key does not permit READ
  wr.remote_addr = 950;
  ExpectRemoteError(wr, kRemoteRead, kAccess, kFlushed);  // 50 B too long
  wr.remote_addr = 0;
  wr.rkey = 0x12345600;
  ExpectRemoteError(wr, kRemoteRead, kAccess, kFlushed);  // the key does not exist
}

TEST(VerbsErrors, AMessageLongerThanItsRecvFailsBothEnds) {
  ExpectRemoteError(Signaled(WrOpcode::send, 1, 101), 0, WcStatus::rem_inv_req_err, WcStatus::loc_len_err);
}

TEST(VerbsErrors, InvalidatingAKeyThatIsNoneFailsBothEnds) {
  SendWr wr = Signaled(WrOpcode::send_with_inv, 1, 50);
  wr.rkey = 0x12345600;
  ExpectRemoteError(wr, 0, WcStatus::rem_op_err, WcStatus::loc_prot_err);
}

TEST(VerbsErrors, AnEmptyWriteNeedsNoKey) {
  SendWr wr = Signaled(WrOpcode::rdma_write, 1, 0);
  wr.rkey = 0x12345600;
  Refuse(wr, 0, [](const Outcome& o) { EXPECT_THAT(o.sender, Each(WcStatus::success)); });
}

TEST(VerbsErrors, ALocalKeyThatDoesNotCoverTheBufferFailsTheQueuePairHere) {
  // A request that was on its way is flushed before it: it does not wait for its ACK.
  SendWr wr = Signaled(WrOpcode::send, 1, 50);
  wr.sge.lkey = 0x12345600;
  Refuse(wr, 0, [](const Outcome& o) {
    EXPECT_THAT(o.sender,
                ElementsAre(WcStatus::wr_flush_err, WcStatus::loc_prot_err, WcStatus::wr_flush_err));
    EXPECT_EQ(o.sender_state, QpState::err);
    EXPECT_EQ(o.receiver_state, QpState::rts);
  });
}

TEST(VerbsErrors, MoreReadsThanTheResponderTakesAreAnInvalidRequest) {
  // The responder takes two at a time; three of 100 kB arrive while it answers the first.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Make(0, 1);
    QpAttr attr;
    attr.max_dest_rd_atomic = 2;
    BringUp(lab, pair, attr);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 100'000, kRemoteRead);
    SendWr wr = Signaled(WrOpcode::rdma_read, 0, 100'000);
    wr.rkey = remote->rkey;
    for (wr.wr_id = 0; wr.wr_id < 3; ++wr.wr_id) lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)),
                ElementsAre(WcStatus::success, WcStatus::success, WcStatus::rem_inv_req_err));
  });
}

TEST(VerbsErrors, ADrainedSendQueueFinishesWhatHasBegun) {
  // 100 packets take 8.9 us; after 2 us the queue pair is drained. The second SEND starts when it is back in
  // rts.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 102'400, kLocalWrite | kRemoteWrite);
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 102'400);
    wr.rkey = remote->rkey;
    lab.verbs(0).PostSend(pair.a, wr);
    wr.wr_id = 2;
    lab.verbs(0).PostSend(pair.a, wr);
    QpAttr attr;
    At(Microseconds(2), [&] {
      attr.state = QpState::sqd;
      EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
    });
    At(Microseconds(50), [&] {
      attr.state = QpState::rts;
      EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
    });
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    EXPECT_THAT(VerbsLab::Ids(wcs), ElementsAre(1, 2));
    EXPECT_LT(wcs[0].times.completed, Microseconds(12));
    EXPECT_EQ(wcs[1].times.first_sent, Microseconds(50));
  });
}

TEST(VerbsErrors, OfUcWhatIsOutIsNotFlushedThoughNobodyHeardOfIt) {
  // There are three unsignalled WRITEs; the first has left and the second is on its way when the queue pair
  // fails.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr init;
    init.type = QpType::uc;
    const auto pair = lab.Connect(0, 1, init);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 1000, kLocalWrite | kRemoteWrite);
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 1000);
    wr.signaled = false;
    wr.rkey = remote->rkey;
    for (; wr.wr_id <= 3; ++wr.wr_id) EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    At(Nanoseconds(100), [&] {  // a frame takes 88 ns
      QpAttr attr;
      attr.state = QpState::err;
      EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
    });
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    EXPECT_THAT(VerbsLab::Ids(wcs), ElementsAre(2, 3));
    EXPECT_THAT(VerbsLab::Statuses(wcs), ElementsAre(WcStatus::wr_flush_err, WcStatus::wr_flush_err));
  });
}

TEST(VerbsErrors, OfUcAStepIsCompleteOnceAllBeforeItIsOut) {
  // LOCAL_INV follows an unsignalled WRITE: it is posted with it, while it is on its way (88 ns), and after
  // it has left.
  for (const int64_t posted : {0, 40, 200}) {
    InChild([posted] {
      VerbsLab lab(StarScenario(2, kLink));
      QpInitAttr init;
      init.type = QpType::uc;
      const auto pair = lab.Connect(0, 1, init);
      const MemoryRegion* remote = lab.verbs(1).RegMr(0, 1000, kLocalWrite | kRemoteWrite);
      const MemoryRegion* mine = lab.verbs(0).RegMr(0, 1000, kLocalWrite);
      SendWr wr = Signaled(WrOpcode::rdma_write, 1, 1000);
      wr.signaled = false;
      wr.rkey = remote->rkey;
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
      At(Nanoseconds(posted), [&] {
        SendWr step = Signaled(WrOpcode::local_inv, 2, 0);
        step.rkey = mine->rkey;
        EXPECT_EQ(lab.verbs(0).PostSend(pair.a, step), 0);
      });
      RunUntil(Milliseconds(1));
      const auto wcs = VerbsLab::PollAll(pair.cq_a);
      ASSERT_THAT(VerbsLab::Ids(wcs), ElementsAre(2));
      EXPECT_FALSE(mine->valid);
      EXPECT_EQ(wcs[0].times.completed, std::max(Nanoseconds(posted), Picoseconds(87'840)));
    });
  }
}

TEST(VerbsErrors, AFullCompletionQueueFailsWhoFillsIt) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr init;
    init.send_cq = init.recv_cq = lab.verbs(0).CreateCq(2);
    QueuePair* qp = lab.verbs(0).CreateQp(init);
    const auto other = lab.Make(1, 1);
    EXPECT_TRUE(ConnectQps(lab.verbs(0), qp, lab.verbs(1), other.a));
    for (uint64_t i = 0; i < 4; ++i) lab.verbs(0).PostSend(qp, Signaled(WrOpcode::rdma_write, i, 0));
    RunUntil(Milliseconds(1));
    EXPECT_TRUE(init.send_cq->overrun());
    EXPECT_EQ(Verbs::StateOf(qp), QpState::err);
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(init.send_cq)), ElementsAre(0, 1));
  });
}

TEST(VerbsErrors, ARegistrationMustFitItsRegion) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    MemoryRegion* region = lab.verbs(0).AllocMr();
    SendWr wr = Signaled(WrOpcode::reg_mr, 1, 100);
    wr.mr = region;
    wr.key = region->rkey + 256;  // the key of the next region
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Microseconds(1));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)), ElementsAre(WcStatus::mw_bind_err));
    EXPECT_FALSE(region->valid);
  });
}

TEST(VerbsErrors, AHiddenFenceLetsOneRegistrationIntoEachRoundTrip) {
  // REG_MR and SEND, five times. Without the bug all five SENDs leave at once. With the bug the k-th leaves
  // when the previous one is acknowledged.
  for (const bool bug : {false, true}) {
    InChild([bug] {
      Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(10), Time{}, 0.0});
      s.nics[0].hidden_fence = bug;
      VerbsLab lab(s);
      const auto pair = lab.Connect(0, 1);
      for (uint64_t i = 0; i < 5; ++i) {
        MemoryRegion* region = lab.verbs(0).AllocMr();
        SendWr reg = Signaled(WrOpcode::reg_mr, 100 + i, 4096);
        reg.mr = region;
        reg.key = region->rkey;
        reg.signaled = false;
        lab.verbs(1).PostRecv(pair.b, {i, {0, 64, 0}});
        EXPECT_EQ(lab.verbs(0).PostSend(pair.a, reg), 0);
        EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, i, 64)), 0);
      }
      RunUntil(Milliseconds(1));
      const auto wcs = VerbsLab::PollAll(pair.cq_a);
      ASSERT_THAT(VerbsLab::Ids(wcs), ElementsAre(0, 1, 2, 3, 4));
      for (size_t i = 1; i < 5; ++i) {
        if (bug) {
          EXPECT_EQ(wcs[i].times.first_sent, wcs[i - 1].times.completed);
        } else {
          EXPECT_LT(wcs[i].times.first_sent, Microseconds(1));
        }
      }
    });
  }
}

TEST(VerbsErrors, AHiddenFenceOfAnUnreliableConnectionEndsWithTheTransmission) {
  // WRITE, REG_MR and WRITE: the second WRITE leaves when the first has left, because UC has no answers.
  for (const bool resources : {false, true}) {
    InChild([resources] {
      Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(10), Time{}, 0.0});
      s.nics[0].hidden_fence = true;
      if (resources) s.nics[0].resources = FindResourceSet("gen2")->resources;
      VerbsLab lab(s);
      QpInitAttr attr;
      attr.type = QpType::uc;
      const auto pair = lab.Connect(0, 1, attr);
      SendWr write = Signaled(WrOpcode::rdma_write, 1, 4000);
      write.rkey = lab.verbs(1).RegMr(0, 100'000, kLocalWrite | kRemoteWrite)->rkey;
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, write), 0);
      SendWr reg = Signaled(WrOpcode::reg_mr, 2, 4096);
      reg.mr = lab.verbs(0).AllocMr();
      reg.key = reg.mr->rkey;
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, reg), 0);
      write.wr_id = 3;
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, write), 0);
      RunUntil(Milliseconds(1));
      const auto wcs = VerbsLab::PollAll(pair.cq_a);
      ASSERT_THAT(VerbsLab::Ids(wcs), ElementsAre(1, 2, 3));
      EXPECT_GE(wcs[2].times.first_sent, wcs[0].times.last_sent);
      EXPECT_LT(wcs[2].times.completed, Microseconds(20));
    });
  }
}

}  // namespace
}  // namespace headroom::verbs_errors_test

// Calls by a verbs user that are refused at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::verbs_refusals_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(VerbsErrors, EachTransportRefusesWhatItDoesNotHave) {
  constexpr WrOpcode kAll[] = {WrOpcode::send,          WrOpcode::send_with_imm,
                               WrOpcode::rdma_write,    WrOpcode::rdma_write_with_imm,
                               WrOpcode::send_with_inv, WrOpcode::rdma_read};
  const std::map<QpType, std::vector<int>> expected = {{QpType::rc, {0, 0, 0, 0, 0, 0}},
                                                       {QpType::uc, {0, 0, 0, 0, EINVAL, EINVAL}},
                                                       {QpType::ud, {0, 0, EINVAL, EINVAL, EINVAL, EINVAL}}};
  for (const auto& [type, results] : expected) {
    InChild([&, t = type] {
      VerbsLab lab(StarScenario(2, kLink));
      QpInitAttr attr;
      attr.type = t;
      const auto pair = lab.Connect(0, 1, attr);
      for (size_t i = 0; i < results.size(); ++i) {
        EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(kAll[i], i, 64)), results[i])
            << static_cast<int>(t) << i;
      }
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, 0, 1025)),
                t == QpType::ud ? EINVAL : 0);
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::local_inv, 0, 0)),
                t == QpType::ud ? EINVAL : 0);
      attr.send_cq = attr.recv_cq = pair.cq_a;
      attr.srq = lab.verbs(0).CreateSrq(16);
      EXPECT_EQ(lab.verbs(0).CreateQp(attr) == nullptr, t == QpType::uc);
    });
  }
}

TEST(VerbsErrors, AttributesAndStepsThatDoNotFitAreRefused) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    Verbs& verbs = lab.verbs(0);
    QpInitAttr init;
    EXPECT_EQ(verbs.CreateQp(init), nullptr);  // no completion queue
    init.send_cq = init.recv_cq = verbs.CreateCq(16);
    init.cap.max_inline_data = 257;
    EXPECT_EQ(verbs.CreateQp(init), nullptr);
    init.cap.max_inline_data = 32;
    init.cap.max_recv_wr = 1;
    QueuePair* qp = verbs.CreateQp(init);
    const auto modify = [&](QpState state, auto change) {
      QpAttr attr;
      attr.address.host = 1;
      attr.state = state;
      change(attr);
      return verbs.ModifyQp(qp, attr);
    };
    const auto as_is = [](QpAttr&) {};
    EXPECT_EQ(verbs.PostRecv(qp, {}), EINVAL);  // the queue pair is in state reset
    EXPECT_EQ(modify(QpState::rtr, as_is), EINVAL);
    EXPECT_EQ(modify(QpState::init, as_is), 0);
    EXPECT_EQ(verbs.PostRecv(qp, {}), 0);
    EXPECT_EQ(verbs.PostRecv(qp, {}), ENOMEM);
    EXPECT_EQ(modify(QpState::rtr, [](QpAttr& a) { a.min_rnr_timer = 32; }), EINVAL);
    EXPECT_EQ(modify(QpState::rtr, [](QpAttr& a) { a.max_dest_rd_atomic = 17; }), EINVAL);
    EXPECT_EQ(modify(QpState::rtr, as_is), 0);
    EXPECT_EQ(verbs.PostSend(qp, {}), EINVAL);  // the queue pair is not yet in state rts
    EXPECT_EQ(modify(QpState::rts, [](QpAttr& a) { a.max_rd_atomic = 17; }), EINVAL);
    EXPECT_EQ(modify(QpState::rts, [](QpAttr& a) { a.rnr_retry = 8; }), EINVAL);
    EXPECT_EQ(modify(QpState::rts, [](QpAttr& a) { a.retry_cnt = 8; }), EINVAL);
    EXPECT_EQ(modify(QpState::rts, [](QpAttr& a) { a.timeout = 32; }), EINVAL);
    EXPECT_EQ(modify(QpState::rts, as_is), 0);
    EXPECT_EQ(modify(QpState::init, as_is), EINVAL);
    EXPECT_EQ(modify(QpState::sqe, as_is), EINVAL);
    SendWr wr = Signaled(WrOpcode::send, 1, 33);
    wr.inline_data = true;
    EXPECT_EQ(verbs.PostSend(qp, wr), EINVAL);  // more than max_inline_data
    wr.sge.length = 32;
    EXPECT_EQ(verbs.PostSend(qp, wr), 0);
    wr.opcode = WrOpcode::rdma_read;
    EXPECT_EQ(verbs.PostSend(qp, wr), EINVAL);  // there are no data to send inline
  });
}

TEST(VerbsErrors, MemoryIsRegisteredAsIbvRegMrDoes) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    Verbs& verbs = lab.verbs(0);
    EXPECT_EQ(verbs.RegMr(0, 64, kRemoteWrite), nullptr);  // this access requires the right to write locally
    EXPECT_EQ(verbs.RegMr(0, 64, 0xff00), nullptr);
    EXPECT_EQ(verbs.RegMr(UINT64_MAX - 63, 64, kRemoteRead),
              nullptr);  // the end of the region is not an address
    std::vector<uint8_t> content(63);
    EXPECT_EQ(verbs.RegMr(0, 64, kRemoteRead, content), nullptr);
    EXPECT_NE(verbs.RegMr(UINT64_MAX - 64, 64, kRemoteRead), nullptr);
    EXPECT_NE(verbs.RegMr(0, 64, kLocalWrite | kRemoteWrite | kRemoteRead), nullptr);
  });
}

TEST(VerbsErrors, RegMrOfWrongRightsFailsTheQueuePair) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    SendWr wr = Signaled(WrOpcode::reg_mr, 1, 64);
    wr.mr = lab.verbs(0).AllocMr();
    wr.key = wr.mr->lkey;
    wr.access = kRemoteWrite;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)),
                testing::ElementsAre(WcStatus::mw_bind_err));
  });
}

}  // namespace
}  // namespace headroom::verbs_refusals_test

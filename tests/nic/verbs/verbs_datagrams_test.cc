// Datagrams of a verbs user: their contents, and their errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/verbs/bring_up.h"
#include "nic/verbs/content.h"
#include "support/in_child.h"

namespace headroom::verbs_datagrams_test {
namespace {

using testing::Each;
using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(Verbs, ADatagramCarriesItsSenderAndLeavesRoomForTheGrh) {
  // 100 B make a frame of 62 + 8 (DETH) + 100. The RECV's buffer has 40 bytes before the payload.
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
    data.assign(100, 0);  // inline data were copied by the post
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
    // It was complete when its last bit left: 194 B at 100 Gb/s.
    const auto sent = VerbsLab::PollAll(pair.cq_a);
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].times.completed, SerializationTime(Bytes(194), GigabitsPerSecond(100)));
  });
}

TEST(VerbsErrors, AUdQueuePairStopsSendingAndKeepsReceiving) {
  // The queue pair is in state sqe after a local error; the program takes it back to rts.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr init;
    init.type = QpType::ud;
    const auto pair = lab.Make(0, 1, init);
    BringUp(lab, pair, {});
    lab.verbs(0).PostRecv(pair.a, {5, {0, 200, 0}});
    SendWr wr = Signaled(WrOpcode::send, 1, 64);
    wr.sge.lkey = 0x12345600;
    wr.ah.host = 1;
    wr.remote_qpn = Verbs::NumberOf(pair.b);
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Microseconds(10));
    EXPECT_EQ(Verbs::StateOf(pair.a), QpState::sqe);
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)), ElementsAre(WcStatus::loc_prot_err));
    SendWr back = Signaled(WrOpcode::send, 2, 64);
    back.remote_qpn = Verbs::NumberOf(pair.a);
    lab.verbs(1).PostSend(pair.b, back);
    RunUntil(Microseconds(20));
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_a)), ElementsAre(5));
    QpAttr attr;
    attr.state = QpState::rts;
    EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
    wr.sge.lkey = 0;
    lab.verbs(0).PostSend(pair.a, wr);
    lab.verbs(1).PostRecv(pair.b, {6, {0, 200, 0}});
    RunUntil(Microseconds(30));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)), ElementsAre(WcStatus::success));
  });
}

TEST(VerbsErrors, DatagramsWithoutARecvOrWithAnotherKeyAreLost) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr init;
    init.type = QpType::ud;
    const auto pair = lab.Make(0, 1, init);
    QpAttr attr;
    attr.qkey = 7;
    BringUp(lab, pair, attr);
    SendWr wr = Signaled(WrOpcode::send, 1, 64);
    wr.ah.host = 1;
    wr.remote_qpn = Verbs::NumberOf(pair.b);
    wr.remote_qkey = 7;
    lab.verbs(0).PostSend(pair.a, wr);  // no RECV yet
    RunUntil(Microseconds(10));
    lab.verbs(1).PostRecv(pair.b, {1, {0, 104, 0}});
    wr.remote_qkey = 8;
    lab.verbs(0).PostSend(pair.a, wr);
    wr.remote_qkey = 7;
    wr.remote_qpn = 99;
    lab.verbs(0).PostSend(pair.a, wr);  // no queue pair has that number
    RunUntil(Microseconds(20));
    EXPECT_EQ(lab.counters(1).discarded_packets, 3u);
    EXPECT_EQ(pair.cq_b->size(), 0u);
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)), Each(WcStatus::success));
    // The message is one byte too long for 40 + 64.
    wr.remote_qpn = Verbs::NumberOf(pair.b);
    wr.sge.length = 65;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Microseconds(30));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_b)), ElementsAre(WcStatus::loc_len_err));
    EXPECT_EQ(Verbs::StateOf(pair.b), QpState::err);
  });
}

}  // namespace
}  // namespace headroom::verbs_datagrams_test

// Lost frames, RECVs that come too late, and the end of retries, for a verbs user.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/verbs/bring_up.h"
#include "support/in_child.h"
#include "support/recovery.h"

namespace headroom::verbs_losses_test {
namespace {

using testing::Each;
using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(VerbsErrors, UcLosesAMessageInSilence) {
  // There are three SENDs of three packets; the second packet of the second SEND is lost. Its RECV is used
  // for the third. The sender notices nothing.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    QpInitAttr attr;
    attr.type = QpType::uc;
    const auto pair = lab.Connect(0, 1, attr);
    lab.lose = [](NodeId, const Frame& f) { return f.psn == 4; };
    for (uint64_t i = 0; i < 3; ++i) lab.verbs(1).PostRecv(pair.b, {70 + i, {0, 4000, 0}});
    for (uint64_t i = 0; i < 3; ++i) lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, i, 3000));
    RunUntil(Milliseconds(100));
    const auto sent = VerbsLab::PollAll(pair.cq_a), received = VerbsLab::PollAll(pair.cq_b);
    EXPECT_THAT(VerbsLab::Ids(sent), ElementsAre(0, 1, 2));
    EXPECT_THAT(VerbsLab::Statuses(sent), Each(WcStatus::success));
    EXPECT_THAT(VerbsLab::Ids(received), ElementsAre(70, 71));
    EXPECT_THAT(VerbsLab::Statuses(received), Each(WcStatus::success));
    EXPECT_EQ(lab.counters(1).discarded_packets, 1u);  // the third packet of the second message
    EXPECT_EQ(lab.counters(0).retransmitted_packets, 0u);
    EXPECT_TRUE(lab.Of(1, FrameKind::ack).empty());
    EXPECT_TRUE(lab.Of(1, FrameKind::nak).empty());
  });
}

TEST(VerbsErrors, RcSendsAgainFromWhatWasLost) {
  // The same on RC: packet 4 is lost while 5 to 8 were in flight. All three SENDs arrive, in order.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    lab.lose = [lost = false](NodeId h, const Frame& f) mutable {
      return h == 0 && f.psn == 4 && !std::exchange(lost, true);
    };
    for (uint64_t i = 0; i < 3; ++i) lab.verbs(1).PostRecv(pair.b, {70 + i, {0, 4000, 0}});
    for (uint64_t i = 0; i < 3; ++i) lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, i, 3000));
    RunUntil(Milliseconds(100));
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_b)), ElementsAre(70, 71, 72));
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_a)), ElementsAre(0, 1, 2));
    EXPECT_EQ(lab.counters(0).retransmitted_packets, 5u);
    EXPECT_EQ(lab.counters(1).naks, 1u);
  });
}

TEST(VerbsErrors, ALostReadResponseIsAskedForFromThereOn) {
  // A READ of ten packets; response 4 is lost. The request for the six missing responses is sent again: 4 is
  // sent again, and 5 to 9, which were in flight, arrive twice.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 10'240, kRemoteRead);
    lab.lose = [lost = false](NodeId h, const Frame& f) mutable {
      return h == 1 && f.psn == 4 && !std::exchange(lost, true);
    };
    SendWr wr = Signaled(WrOpcode::rdma_read, 1, 10'240);
    wr.rkey = remote->rkey;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)), ElementsAre(WcStatus::success));
    std::vector<uint32_t> requests;
    for (const auto& f : lab.Of(0, FrameKind::data)) requests.push_back(f.psn);
    EXPECT_THAT(requests, ElementsAre(0, 4));
    EXPECT_EQ(lab.counters(1).retransmitted_packets, 6u);
    EXPECT_EQ(lab.counters(0).timeouts, 0u);
  });
}

TEST(VerbsErrors, ALossAfterTheTimeoutIsNoticedAtOnce) {
  // Response 4 of ten is lost three times. Response 5 reveals the first loss. The timer reveals the second,
  // because later responses may be older than the second request. Response 5 again reveals the third.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 10'240, kRemoteRead);
    lab.lose = [times = 0](NodeId h, const Frame& f) mutable { return h == 1 && f.psn == 4 && ++times <= 3; };
    SendWr wr = Signaled(WrOpcode::rdma_read, 1, 10'240);
    wr.rkey = remote->rkey;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(50));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    EXPECT_THAT(VerbsLab::Statuses(wcs), ElementsAre(WcStatus::success));
    EXPECT_EQ(lab.counters(0).timeouts, 1u);
    EXPECT_LT(wcs.at(0).times.completed, Microseconds(4'100));
  });
}

TEST(VerbsErrors, ALostReadRequestIsFoundByTheTimer) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 64, kRemoteRead);
    lab.lose = [lost = false](NodeId, const Frame&) mutable { return !std::exchange(lost, true); };
    SendWr wr = Signaled(WrOpcode::rdma_read, 1, 64);
    wr.rkey = remote->rkey;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(10));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    EXPECT_THAT(VerbsLab::Statuses(wcs), ElementsAre(WcStatus::success));
    EXPECT_GT(wcs.at(0).times.completed, Milliseconds(4));
    EXPECT_EQ(lab.counters(0).timeouts, 1u);
  });
}

TEST(VerbsErrors, AnAckBehindALostResponseDoesNotCompleteTheRead) {
  // After a READ and a WRITE the only response is lost, and the WRITE's ACK reveals that. Both are executed
  // once, in order.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> from(64, 5), to(64, 0);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0, 64, kRemoteRead | kLocalWrite | kRemoteWrite, from);
    const MemoryRegion* local = lab.verbs(0).RegMr(0, 64, kLocalWrite, to);
    lab.lose = [lost = false](NodeId h, const Frame& f) mutable {
      return h == 1 && IsReadResponse(f.opcode) && !std::exchange(lost, true);
    };
    SendWr read = Signaled(WrOpcode::rdma_read, 1, 64), write = Signaled(WrOpcode::rdma_write, 2, 64);
    read.rkey = write.rkey = remote->rkey;
    read.sge.lkey = local->lkey;
    lab.verbs(0).PostSend(pair.a, read);
    lab.verbs(0).PostSend(pair.a, write);
    RunUntil(Milliseconds(1));
    EXPECT_THAT(VerbsLab::Ids(VerbsLab::PollAll(pair.cq_a)), ElementsAre(1, 2));
    EXPECT_EQ(to, from);
    EXPECT_EQ(lab.counters(0).timeouts, 0u);
  });
}

TEST(VerbsErrors, WithoutARecvTheSenderWaitsAndTriesAgain) {
  // RNR timer code 7 is 0.12 ms. A RECV is posted after 0.3 ms: the third retry, at 0.36 ms and three round
  // trips, finds it.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Make(0, 1);
    QpAttr attr;
    attr.min_rnr_timer = 7;
    BringUp(lab, pair, attr);
    lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, 1, 64));
    At(Microseconds(300), [&] { lab.verbs(1).PostRecv(pair.b, {9, {0, 64, 0}}); });
    RunUntil(Milliseconds(10));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    EXPECT_THAT(VerbsLab::Statuses(wcs), ElementsAre(WcStatus::success));
    EXPECT_NEAR(InMicroseconds(wcs.at(0).times.completed), 360 + 4 * 1.1, 1);
    EXPECT_EQ(lab.counters(1).rnr_naks, 3u);
    EXPECT_EQ(lab.counters(1).naks, 0u);
    EXPECT_EQ(lab.counters(0).timeouts, 0u);
    EXPECT_EQ(lab.Of(1, FrameKind::nak).at(0).opcode, 0x20 | 7);
    EXPECT_EQ(lab.Of(0, FrameKind::data).size(), 4u);
  });
}

TEST(VerbsErrors, RnrRetriesAreCounted) {
  // rnr_retry 2 means three attempts. The first work request fails with this error, the other two are
  // flushed, signalled or not.
  for (const auto recover : kRecoveries)
    InChild([recover] {
      Scenario s = StarScenario(2, kLink);
      recover(s);
      VerbsLab lab(std::move(s));
      const auto pair = lab.Make(0, 1);
      QpAttr attr;
      attr.min_rnr_timer = 1;
      attr.rnr_retry = 2;
      BringUp(lab, pair, attr);
      SendWr wr = Signaled(WrOpcode::send, 1, 64);
      lab.verbs(0).PostSend(pair.a, wr);
      wr.signaled = false;
      wr.wr_id = 2;
      lab.verbs(0).PostSend(pair.a, wr);
      lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::rdma_write, 3, 64));
      RunUntil(Milliseconds(10));
      const auto wcs = VerbsLab::PollAll(pair.cq_a);
      EXPECT_THAT(VerbsLab::Ids(wcs), ElementsAre(1, 2, 3));
      EXPECT_THAT(VerbsLab::Statuses(wcs),
                  ElementsAre(WcStatus::rnr_retry_exc_err, WcStatus::wr_flush_err, WcStatus::wr_flush_err));
      EXPECT_EQ(Verbs::StateOf(pair.a), QpState::err);
      EXPECT_EQ(lab.counters(1).rnr_naks, 3u);
    });
}

TEST(VerbsErrors, WithoutAnAnswerRetriesEndAndAllThatWaitsIsFlushedInOrder) {
  // timeout 8 is 4.096 us × 256 = 1.048576 ms; with retry_cnt 3 the fourth timeout is the end. RECVs are
  // flushed too, and later posts are flushed at once, until the queue pair is reset.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Make(0, 1);
    QpAttr attr;
    attr.timeout = 8;
    attr.retry_cnt = 3;
    attr.address.host = 1;
    for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
      attr.state = state;
      EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, attr), 0);
    }
    lab.verbs(0).PostRecv(pair.a, {100, {0, 64, 0}});
    lab.verbs(0).PostRecv(pair.a, {101, {0, 64, 0}});
    for (uint64_t i = 0; i < 4; ++i) {
      lab.verbs(0).PostSend(pair.a, Signaled(i == 2 ? WrOpcode::rdma_read : WrOpcode::rdma_write, i, 64));
    }
    RunUntil(Milliseconds(100));
    const auto wcs = VerbsLab::PollAll(pair.cq_a);
    EXPECT_THAT(VerbsLab::Ids(wcs), ElementsAre(0, 1, 2, 3, 100, 101));
    EXPECT_EQ(wcs[0].status, WcStatus::retry_exc_err);
    EXPECT_EQ(wcs[0].times.completed, Nanoseconds(4 * 1'048'576));
    for (size_t i = 1; i < 6; ++i) EXPECT_EQ(wcs[i].status, WcStatus::wr_flush_err);
    EXPECT_EQ(wcs[5].opcode, WcOpcode::recv);

    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, 7, 64)), 0);
    EXPECT_EQ(lab.verbs(0).PostRecv(pair.a, {107, {}}), 0);
    const auto flushed = VerbsLab::PollAll(pair.cq_a);
    EXPECT_THAT(VerbsLab::Ids(flushed), ElementsAre(7, 107));
    EXPECT_THAT(VerbsLab::Statuses(flushed), Each(WcStatus::wr_flush_err));

    // The queue pair is set up again, this time with a peer.
    EXPECT_EQ(lab.verbs(0).ModifyQp(pair.a, {}), 0);
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, 8, 64)), EINVAL);
    EXPECT_TRUE(ConnectQps(lab.verbs(0), pair.a, lab.verbs(1), pair.b));
    lab.verbs(1).PostRecv(pair.b, {1, {0, 64, 0}});
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, 9, 64)), 0);
    RunUntil(Milliseconds(101));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)), ElementsAre(WcStatus::success));
  });
}

}  // namespace
}  // namespace headroom::verbs_losses_test

// READs by a verbs user, without errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/verbs/content.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::verbs_reads_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

TEST(Verbs, AReadFetchesInResponsesOfItsOwnPsns) {
  // 2500 B take one request of 78 B and three responses of 1024, 1024 and 452 B; the first and the last have
  // an AETH.
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

TEST(Verbs, SixteenReadsOutstandingBoundAQueuePairToSixteenPerRoundTrip) {
  // 64 B cross 2 × 10 us of link each way: a round trip takes about 41 us, in which the line could carry 3000
  // requests. The k-th READ completes floor(k / 16) round trips after its counterpart in the first sixteen.
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
  // Host 1 answers a READ and sends WRITEs at the same time: every second of its frames is a response.
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

TEST(Verbs, AFenceWaitsForTheReadsBeforeIt) {
  // A WRITE directly after a READ is on the wire before the response arrives, with a fence after it.
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

}  // namespace
}  // namespace headroom::verbs_reads_test

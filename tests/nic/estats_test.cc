// RDMA Estats of programs on verbs, and the error of NIC clocks in their values.
#include "nic/estats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::estats_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Microseconds(1), Time{}, 0.0};

TEST(Clock, IsOffByItsOffsetAndByWhatItDriftedSinceItWasSetRight) {
  // 20 ppm for 3 of 10 ms are 60 ns; for 10 ms they are 200 ns.
  const ClockParameters clock{Microseconds(-5), 20'000, Milliseconds(10)};
  EXPECT_EQ(clock.Read(Milliseconds(40)), Milliseconds(40) - Microseconds(5));
  EXPECT_EQ(clock.Read(Milliseconds(43)), Milliseconds(43) - Microseconds(5) + Nanoseconds(60));
  EXPECT_EQ(clock.ErrorBound(Seconds(1)), Nanoseconds(5'200));
  EXPECT_EQ(clock.ErrorBound(Milliseconds(1)), Nanoseconds(5'020));
  // Without corrections 1 s makes −20 µs.
  const ClockParameters slow{{}, -20'000, kNever};
  EXPECT_EQ(slow.Read(Seconds(1)), Seconds(1) - Microseconds(20));
  EXPECT_EQ(slow.ErrorBound(Seconds(1)), Microseconds(20));
  EXPECT_EQ(ClockParameters{}.Read(Seconds(7)), Seconds(7));
}

TEST(Estats, AnOperationCountsInTheIntervalInWhichItIsPolled) {
  // A WRITE, READs and RECVs each have a histogram. The WRITE is polled 30 µs after its post, at the last
  // instant of the third interval of 10 µs.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    Estats estats(Microseconds(10));
    for (const NodeId host : {0, 1}) estats.Watch(lab.network->nic(host));
    const auto pair = lab.Connect(0, 1);
    const uint32_t key = lab.verbs(1).RegMr(0, 4096, kLocalWrite | kRemoteWrite | kRemoteRead)->rkey;
    SendWr write = Signaled(WrOpcode::rdma_write, 1, 1000), read = Signaled(WrOpcode::rdma_read, 2, 1000);
    write.rkey = read.rkey = key;
    ASSERT_EQ(lab.verbs(0).PostSend(pair.a, write), 0);
    RunUntil(Microseconds(30));
    Wc wc;
    ASSERT_TRUE(pair.cq_a->Poll(wc));
    ASSERT_EQ(estats.spans().size(), 1u);
    const auto& [key_of_write, spans] = *estats.spans().begin();
    EXPECT_EQ(key_of_write,
              (Estats::Key{3, 0, 1, Verbs::NumberOf(pair.a), WcOpcode::rdma_write, WcStatus::success}));
    EXPECT_EQ(spans.t6_t1.greatest(), Microseconds(30));
    EXPECT_EQ(spans.t5_t1.greatest(), wc.times.completed);
    // The message crosses two links forward and two back: at least 4 µs.
    EXPECT_GT(wc.times.completed, Microseconds(4));
    EXPECT_LT(wc.times.completed, Microseconds(6));

    ASSERT_EQ(lab.verbs(1).PostRecv(pair.b, {3, {0, 4096, 0}}), 0);
    ASSERT_EQ(lab.verbs(0).PostSend(pair.a, read), 0);
    ASSERT_EQ(lab.verbs(0).PostSend(pair.a, Signaled(WrOpcode::send, 4, 10)), 0);
    RunUntil(Microseconds(50));
    VerbsLab::PollAll(pair.cq_a);
    VerbsLab::PollAll(pair.cq_b);
    std::vector<std::pair<NodeId, WcOpcode>> seen;
    for (const auto& [k, unused] : estats.spans()) seen.emplace_back(k.host, k.operation);
    EXPECT_THAT(seen, ElementsAre(std::pair(0u, WcOpcode::rdma_write), std::pair(0u, WcOpcode::send),
                                  std::pair(0u, WcOpcode::rdma_read), std::pair(1u, WcOpcode::recv)));
  });
}

TEST(Estats, WhatFailsHasItsStatusAndAnUnsignalledRequestIsNotSeen) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    Estats estats(Seconds(60));
    estats.Watch(lab.network->nic(0));
    const auto pair = lab.Connect(0, 1);
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 100);
    wr.rkey = lab.verbs(1).RegMr(0, 4096, kLocalWrite | kRemoteWrite)->rkey;
    wr.signaled = false;
    ASSERT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    wr.rkey += 1;  // this key belongs to no region
    ASSERT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    ASSERT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    VerbsLab::PollAll(pair.cq_a);
    std::vector<std::pair<WcStatus, uint64_t>> seen;
    for (const auto& [k, spans] : estats.spans()) seen.emplace_back(k.status, spans.t6_t1.count());
    EXPECT_THAT(seen,
                ElementsAre(std::pair(WcStatus::wr_flush_err, 1u), std::pair(WcStatus::rem_access_err, 1u)));
  });
}

TEST(Estats, TimesAreInOrderAndClocksMisleadByNoMoreThanTheirBound) {
  // 2,000 operations of every kind take place over 40 ms at a NIC. Its clock is 3 µs behind, loses 200 ppm,
  // and is corrected every 10 ms: the error is at most 3 + 2 µs. An operation takes about 4 µs, so the host
  // reads T5 before T1 now and then.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    s.nics[0].clock = {Microseconds(-3), -200'000, Milliseconds(10)};
    s.nics[0].tx_latency = s.nics[0].rx_latency = Nanoseconds(100);
    VerbsLab lab(s);
    const ClockParameters& clock = lab.network->nic(0).clock();
    const auto pair = lab.Connect(0, 1);
    const uint32_t key = lab.verbs(1).RegMr(0, 1 << 20, kLocalWrite | kRemoteWrite | kRemoteRead)->rkey;
    int count = 0;
    Time worst;
    for (int i = 0; i < 2000; ++i) {
      constexpr WrOpcode kOpcodes[] = {WrOpcode::rdma_write, WrOpcode::rdma_read, WrOpcode::send};
      SendWr wr = Signaled(kOpcodes[i % 3], 0, static_cast<uint32_t>(i % 7) * 500);
      wr.rkey = key;
      if (wr.opcode == WrOpcode::send) {
        ASSERT_EQ(lab.verbs(1).PostRecv(pair.b, {0, {0, 4096, 0}}), 0);
      }
      ASSERT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
      RunUntil(Microseconds(20) * (i + 1));
      VerbsLab::PollAll(pair.cq_b);
      for (const Wc& wc : VerbsLab::PollAll(pair.cq_a)) {
        const OperationTimes& t = wc.times;
        EXPECT_TRUE(t.posted <= t.first_sent && t.first_sent <= t.last_sent &&
                    t.last_sent <= t.acknowledged && t.acknowledged <= t.completed &&
                    t.completed <= t.polled);
        const Time reported = clock.Read(t.completed) - t.posted, error = reported - (t.completed - t.posted);
        EXPECT_LE(std::max(error, error * -1), clock.ErrorBound(t.polled));
        worst = std::min(worst, error);
        ++count;
      }
    }
    EXPECT_EQ(count, 2000);
    EXPECT_EQ(clock.ErrorBound(Milliseconds(40)), Microseconds(5));
    EXPECT_LT(worst,
              Nanoseconds(-4'990));  // the error is near the bound: the bound is not wider than necessary
  });
}

}  // namespace
}  // namespace headroom::estats_test

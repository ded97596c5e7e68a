// Lossless traffic, if the headroom suffices; and the names of the drops if it does not.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/run.h"
#include "run/storms.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/incast.h"

namespace headroom::headroom_test {
namespace {

// 16 hosts send 1 MB each to the seventeenth, without congestion control, over 60 m of cable.
constexpr Time kCable = Nanoseconds(300);

Scenario Incast() {
  Scenario s = StarScenario(17, {GigabitsPerSecond(100), kCable, Time{}, 0.0});
  for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
  BufferParameters& b = s.switches[0].buffer;
  b.headroom.clear();
  b.pools[0].size = Bytes(2'000'000);
  IncastArrivals a;
  a.size = Kilobytes(1000);
  a.from = Hosts(0, 16);
  a.to = {16};
  s.workloads = {WorkloadOf("burst", a)};
  return s;
}

uint64_t Drops(const RunRecord& r, DropReason reason) {
  uint64_t sum = 0;
  for (const PortRecord& p : r.ports) sum += p.priority[3].drops[static_cast<int>(reason)];
  return sum;
}

// After XOFF four quantities arrive: a frame of 1102 B that had started when the pause was due, the pause's
// own 84 B, twice 300 ns of cable, and a started frame. 12.5 B/ns × (89.76 + 6.72 + 600 + 88.48 ns) = 9812 B
// on the wire. In cells of 208 B a frame of 1086 B, 1106 B on the wire, is 1248 B: at most 9 frames arrive,
// 11 232 B.
constexpr int64_t kEnough = 9 * 1248;

TEST(Headroom, WhatTheCableNeedsIsEnough) {
  InChild([] {
    Scenario s = Incast();
    s.switches[0].buffer.profiles[0].xoff = Bytes(kEnough);
    const RunRecord r = headroom::Run(s, {});
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(AllDrops(r), 0u);
    EXPECT_GT(r.pauses.size(), 100u);
    EXPECT_EQ(r.retransmitted_packets, 0u);
    EXPECT_GT(r.switches[0].peak_headroom, Bytes(0));
    // 16 MB of payload at 100 Gb/s with headers are 15 632 frames of 1106 B, and 16 × 16 B of RETH: 1383.1
    // us.
    Time last;
    for (const MessageRecord& m : r.messages) last = std::max(last, m.completed);
    EXPECT_NEAR(InMicroseconds(last), 1383.1 + 3, 3);
  });
}

TEST(Headroom, HalfOfItIsNotAndTheDropsAreTheGroups) {
  InChild([] {
    Scenario s = Incast();
    s.switches[0].buffer.profiles[0].xoff = Bytes(kEnough / 2);
    s.deadline = Seconds(1);
    const RunRecord r = headroom::Run(s, {});
    EXPECT_GT(Drops(r, DropReason::group_cap), 0u);
    EXPECT_EQ(AllDrops(r), Drops(r, DropReason::group_cap));
    EXPECT_EQ(r.status, RunStatus::complete);  // go-back-N recovers the loss
    EXPECT_GT(r.retransmitted_packets, 0u);
    EXPECT_TRUE(r.conservation.Ok());
    for (const PortRecord& p : r.ports) EXPECT_LE(p.priority[3].peak_headroom, Bytes(kEnough / 2));
  });
}

TEST(Headroom, APoolTooSmallForAllIsNamedAsSuch) {
  InChild([] {
    Scenario s = Incast();
    s.switches[0].buffer.profiles[0].xoff = Bytes(kEnough);
    s.switches[0].buffer.pools[0].xoff = Bytes(3 * kEnough);
    s.deadline = Seconds(1);
    const RunRecord r = headroom::Run(s, {});
    EXPECT_GT(Drops(r, DropReason::headroom_full), 0u);
    EXPECT_EQ(AllDrops(r), Drops(r, DropReason::headroom_full));
    EXPECT_LE(r.switches[0].peak_headroom, Bytes(3 * kEnough));
    EXPECT_EQ(r.status, RunStatus::complete);
  });
}

TEST(Headroom, ALongerResponseNeedsMore) {
  // 1 us more of response adds 12 frames.
  for (const bool more : {false, true}) {
    InChild([more] {
      Scenario s = Incast();
      s.switches[0].pfc.response = Microseconds(1);
      s.switches[0].buffer.profiles[0].xoff = Bytes(more ? kEnough + 12 * 1248 : kEnough);
      s.deadline = Seconds(1);
      const RunRecord r = headroom::Run(s, {});
      EXPECT_EQ(AllDrops(r) == 0, more);
    });
  }
}

TEST(Headroom, WithoutPfcItOverflows) {
  InChild([] {
    Scenario s = Incast();
    s.switches[0].pfc.enabled = false;
    s.deadline = Seconds(1);
    const RunRecord r = headroom::Run(s, {});
    EXPECT_TRUE(r.pauses.empty());
    EXPECT_GT(AllDrops(r), 0u);
  });
}

TEST(Headroom, DcqcnKeepsTheIncastAwayFromMostPauses) {
  size_t pauses[2];
  for (const bool dcqcn : {false, true}) {
    pauses[dcqcn] = std::stoul(TextFromChild([dcqcn] {
      Scenario s = Incast();
      s.switches[0].buffer = *FindBufferProfile("azure-24mb");
      s.switches[0].ecn[3] = Ecn(100'000, 400'000, 0.1);
      auto& a = s.workloads[0].arrivals.As<IncastArrivals>();
      a.size = Kilobytes(4000);
      if (dcqcn) {
        for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::dcqcn;
      }
      const RunRecord r = headroom::Run(s, {});
      EXPECT_EQ(r.status, RunStatus::complete);
      EXPECT_EQ(AllDrops(r), 0u);
      return std::to_string(r.pauses.size());
    }));
  }
  EXPECT_LT(pauses[1] * 4, pauses[0]);
}

}  // namespace
}  // namespace headroom::headroom_test

// A chassis with virtual output queues: which traffic it delays and which not, and the rate that its deep
// memory must reach.
#include <gtest/gtest.h>

#include <algorithm>

#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/incast.h"
#include "workload/types/list.h"
#include "workload/types/permutation.h"

namespace headroom::chassis_test {
namespace {

constexpr LinkSpec kLink{GigabitsPerSecond(100), Microseconds(1), Time{}, 0.0};

/// Eight hosts are at four line cards with two ports each: h0 and h1 at the first, and so on. There is no
/// congestion control.
Scenario Chassis() {
  Scenario s = StarScenario(8, kLink);
  s.switches[0].buffer = *FindBufferProfile("azure-deep");
  s.switches[0].chassis.emplace();
  s.switches[0].chassis->line_cards = 4;
  for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
  return s;
}

ListArrivals Messages(const std::vector<std::pair<NodeId, NodeId>>& pairs, Bytes size) {
  ListArrivals a;
  for (const auto& [src, dst] : pairs) a.messages.push_back({Time{}, src, dst, size, {}});
  return a;
}

RunRecord RunChecked(const Scenario& s) {
  RunOptions options;
  options.check = true;
  return headroom::Run(s, options);
}

uint64_t Drops(const RunRecord& r, DropReason reason) {
  uint64_t sum = 0;
  for (const PortRecord& p : r.ports) {
    for (const auto& c : p.priority) sum += c.drops[static_cast<int>(reason)];
  }
  return sum;
}

double Microseconds(const MessageRecord& m) { return InMicroseconds(m.completed - m.start); }

/// All ports at line rate for 1 ms, through the deep memory or not.
RunRecord AllPortsAtLineRate(Bytes spill, double deep_bandwidth) {
  Scenario s = Chassis();
  s.switches[0].chassis->on_chip = Kilobytes(1000);
  s.switches[0].chassis->spill = spill;
  s.switches[0].chassis->deep_bandwidth = deep_bandwidth;
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (NodeId h = 0; h < 8; ++h) pairs.emplace_back(h, (h + 2) % 8);
  s.workloads = {WorkloadOf("all", Messages(pairs, Kilobytes(12'000)))};
  return headroom::Run(s, {});
}

TEST(Chassis, WithoutCongestionTheDeepMemoryIsNotNeeded) {
  InChild([] {
    const RunRecord r = AllPortsAtLineRate(Kilobytes(500), 0.1);
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(r.conservation.dropped, 0u);
  });
}

// NSDI 2023, footnote 3. Two ports of 100 Gb/s deliver 25 B/ns to a line card, which stores 1086 of 1106
// bytes of a frame; the memory takes 90 % of 25 B/ns: the excess of 24.5 − 22.5 = 2 B/ns fills 1 MB in 0.5
// ms.
TEST(Chassis, AllPortsAtLineRateByWayOfASlowerDeepMemoryLosePackets) {
  InChild([] {
    const RunRecord r = AllPortsAtLineRate(Bytes(0), 0.9);
    EXPECT_GT(Drops(r, DropReason::on_chip_full), 100u);
    EXPECT_EQ(Drops(r, DropReason::on_chip_full) + Drops(r, DropReason::headroom_full),
              Drops(r, DropReason::on_chip_full));
    EXPECT_TRUE(r.conservation.Ok());
    EXPECT_TRUE(r.pauses.empty());  // the chip does not use priority groups
  });
}

TEST(Chassis, ADeepMemoryAsFastAsThePortsLosesNothing) {
  InChild([] {
    const RunRecord r = AllPortsAtLineRate(Bytes(0), 1.0);
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_EQ(r.conservation.dropped, 0u);
  });
}

// h2 and h4 fill h6's port; h3, on h2's line card, sends to h7, on h6's line card.
TEST(Chassis, ACongestedPortHoldsUpNobodyElse) {
  InChild([] {
    Scenario s = Chassis();
    s.workloads = {WorkloadOf("alone", Messages({{3, 7}}, Kilobytes(1000)))};
    s.workloads.push_back(WorkloadOf("crowd", Messages({{2, 6}, {4, 6}}, Kilobytes(2000))));
    const RunRecord r = RunChecked(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    const auto alone =
        std::find_if(r.messages.begin(), r.messages.end(), [](const MessageRecord& m) { return m.src == 3; });
    // 977 frames of 1106 B and one RETH, all full but the last with 576 B of payload: 86.45 µs of wire at
    // each end of a path whose frames cross the chassis one by one. 5.5 µs follow (two cables, the pipeline,
    // three ways through the fabric), and 5.5 µs and an ACK back.
    EXPECT_NEAR(Microseconds(*alone), 86.4 + 11 + 0.1, 0.2);
  });
}

// Line cards take turns, not ports: h2 gets half of the port, h0 and h1 a quarter each.
TEST(Chassis, CreditsGoToLineCardsInTurn) {
  InChild([] {
    Scenario s = Chassis();
    s.workloads = {WorkloadOf("m", Messages({{0, 6}, {1, 6}, {2, 6}}, Kilobytes(4000)))};
    const RunRecord r = RunChecked(s);
    std::vector<double> us(3);
    for (const MessageRecord& m : r.messages) us[m.src] = Microseconds(m);
    // 4 MB are 3907 frames of 1106 B: 345.7 µs of the port. h2 has finished after 2 of them, the others
    // after 3.
    EXPECT_NEAR(us[2], 2 * 345.7, 0.02 * 2 * 345.7);
    EXPECT_NEAR(std::max(us[0], us[1]), 3 * 345.7, 0.02 * 3 * 345.7);
    EXPECT_EQ(r.conservation.dropped, 0u);
  });
}

TEST(Chassis, TheEgressPortStaysBusyWhileAnyoneWaits) {
  InChild([] {
    Scenario s = Chassis();
    for (const Time latency : {headroom::Nanoseconds(100), headroom::Microseconds(5)}) {
      InChild([&] {
        s.switches[0].chassis->fabric_latency = latency;
        s.workloads = {WorkloadOf("m", Messages({{0, 6}, {2, 6}, {4, 6}}, Kilobytes(4000)))};
        const RunRecord r = RunChecked(s);
        Time last;
        for (const MessageRecord& m : r.messages) last = std::max(last, m.completed);
        EXPECT_NEAR(InMicroseconds(last), 3 * 345.7 + InMicroseconds(latency) * 6 + 5, 4);
      });
    }
  });
}

// The pool has 2 MB instead of gigabytes, so that groups pause and a queue in the deep memory is read back.
TEST(Chassis, LosslessIsLosslessAndEveryIdentityHolds) {
  InChild([] {
    Scenario s = Chassis();
    BufferParameters& b = s.switches[0].buffer;
    b.pools[0].size = Kilobytes(2000);
    s.switches[0].chassis->spill = Kilobytes(50);
    IncastArrivals a;
    a.size = Kilobytes(1000);
    a.from = Hosts(0, 7);
    a.to = {7};
    PermutationArrivals p;
    p.hosts = Hosts(0, 8);
    p.size = Kilobytes(300);
    s.workloads = {WorkloadOf("incast", a), WorkloadOf("all", p), WorkloadOf("lossy", p, 0)};
    const RunRecord r = RunChecked(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    EXPECT_GT(r.pauses.size(), 0u);
    EXPECT_EQ(Drops(r, DropReason::group_cap) + Drops(r, DropReason::headroom_full), 0u);
    EXPECT_TRUE(r.conservation.Ok());
  });
}

}  // namespace
}  // namespace headroom::chassis_test

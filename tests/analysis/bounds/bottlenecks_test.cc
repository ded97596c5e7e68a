#include "analysis/bounds/bottlenecks.h"

#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::bottlenecks_test {
namespace {

std::string At(const Fabric& fabric, const Bottleneck& b) {
  return fabric.node(b.hop.from.node).name + ":" + b.hop.from.port;
}

TEST(ShareOut, AnIncastMeetsAtItsTargetsPort) {
  const Scenario s = StarOf(5, "workloads: [{name: w, type: incast, size: 1MB, to: h4}]\n");
  const Fabric fabric(s);
  const SharedFlows shared = ShareOut(fabric);
  ASSERT_EQ(shared.bottlenecks.size(), 1u);
  EXPECT_EQ(At(fabric, shared.bottlenecks[0]), "s0:p4");
  EXPECT_EQ(shared.bottlenecks[0].flows.size(), 4u);
  EXPECT_DOUBLE_EQ(shared.bottlenecks[0].share_bps, 100e9);
  for (const SharedFlow& f : shared.flows) EXPECT_DOUBLE_EQ(f.rate_bps, 25e9);
}

TEST(ShareOut, ASendersOwnLinkIsNoBottleneckOfASwitch) {
  // Four queue pairs connect one host to one other: they meet in the NIC, and the switch's port gets no more.
  const Scenario s =
      StarOf(2,
             "workloads: [{name: w, type: list, qp: {per_pair: 4}, messages: ["
             "{at: 0us, from: h0, to: h1, size: 1MB}, {at: 0us, from: h0, to: h1, size: 1MB}, "
             "{at: 0us, from: h0, to: h1, size: 1MB}, {at: 0us, from: h0, to: h1, size: 1MB}]}]\n");
  const Fabric fabric(s);
  const SharedFlows shared = ShareOut(fabric);
  EXPECT_EQ(shared.flows.size(), 4u);
  EXPECT_TRUE(shared.bottlenecks.empty());
}

TEST(ShareOut, EachFlowIsHeldWhereItGetsLeast) {
  // A parking lot: a and b fill the 10 Gb/s from s0 to s1 with 5 each; c starts at s1 and has the rest of the
  // 25 Gb/s to d: 15.
  const Scenario s = ScenarioOf(R"(name: lot
duration: 1ms
topology:
  type: custom
  hosts: [a, b, c, d, e]
  switches: [s0, s1]
  links:
    - {ends: [a, s0], rate: 100Gbps, length: 5m}
    - {ends: [b, s0], rate: 100Gbps, length: 5m}
    - {ends: [s0, s1], rate: 10Gbps, length: 5m}
    - {ends: [c, s1], rate: 100Gbps, length: 5m}
    - {ends: [s1, d], rate: 20Gbps, length: 5m}
    - {ends: [s1, e], rate: 100Gbps, length: 5m}
workloads:
  - {name: w, type: list, messages: [{at: 0us, from: a, to: d, size: 1MB}, {at: 0us, from: b, to: e, size: 1MB},
                                     {at: 0us, from: c, to: d, size: 1MB}]}
  - {name: p, type: poisson, sizes: AliStorage2019, load: 10%}
)");
  const Fabric fabric(s);
  const SharedFlows shared = ShareOut(fabric);
  ASSERT_EQ(shared.flows.size(), 3u);
  EXPECT_DOUBLE_EQ(shared.flows[0].rate_bps, 5e9);
  EXPECT_DOUBLE_EQ(shared.flows[1].rate_bps, 5e9);
  EXPECT_DOUBLE_EQ(shared.flows[2].rate_bps, 15e9);
  ASSERT_EQ(shared.bottlenecks.size(), 2u);
  EXPECT_EQ(At(fabric, shared.bottlenecks[0]), "s0:p2");
  EXPECT_EQ(shared.bottlenecks[0].flows, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(At(fabric, shared.bottlenecks[1]), "s1:p2");
  EXPECT_EQ(shared.bottlenecks[1].flows, (std::vector<size_t>{2}));
  EXPECT_DOUBLE_EQ(shared.bottlenecks[1].share_bps, 15e9);
  EXPECT_EQ(shared.at_a_rate, (std::vector<std::string>{"p"}));
}

TEST(ShareOut, ClassesAtOnePortAreApart) {
  const Scenario s =
      StarOf(3,
             "priorities: {one: {priority: 3, dscp: 3, lossless: true, weight: 1}, two: {priority: 4, "
             "dscp: 4, lossless: true, weight: 1}, cnp: {priority: 6, dscp: 48, lossless: false, "
             "strict: true}}\n"
             "workloads: [{name: a, type: stream, from: h0, to: h2, message: 1MB, priority: one}, "
             "{name: b, type: stream, from: h1, to: h2, message: 1MB, priority: two}]\n");
  const SharedFlows shared = ShareOut(Fabric(s));
  ASSERT_EQ(shared.bottlenecks.size(), 2u);
  EXPECT_EQ(shared.bottlenecks[0].priority, 3);
  EXPECT_EQ(shared.bottlenecks[1].priority, 4);
  EXPECT_DOUBLE_EQ(shared.bottlenecks[0].share_bps, 50e9);
}

TEST(ShareOut, TooManyFlowsAreLeft) {
  const Scenario s =
      StarOf(3,
             "workloads: [{name: a, type: stream, from: h0, to: h2, message: 1KB, in_flight: 30000, "
             "qp: per_message}]\n");
  const SharedFlows shared = ShareOut(Fabric(s));
  EXPECT_TRUE(shared.too_many);
  EXPECT_TRUE(shared.flows.empty());
}

}  // namespace
}  // namespace headroom::bottlenecks_test

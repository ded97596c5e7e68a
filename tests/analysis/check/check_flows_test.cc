#include "analysis/check/check_flows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/bounds/flows.h"
#include "analysis/scenario_of.h"
#include "workload/source_port.h"

namespace headroom::check_flows_test {
namespace {

using ::testing::HasSubstr;

/// Payload rate of 100 Gb/s in frames of 1024 B payload: they have 1106 B with headers, preamble and gap.
constexpr double kFull = 100e9 * 1'024 / 1'106;

TEST(CheckFlows, FlowsToOneHostShareItsLinkAndAFreeOneHasItsOwn) {
  const Scenario s = StarOf(6, R"(
workloads:
  - {name: list, type: list, messages: [{from: h0, to: h5, size: 1MB}, {from: h1, to: h5, size: 2MB}, {from: h2, to: h3, size: 1MB}]}
)");
  Findings findings;
  const FlowsChecks checks = CheckFlows(Fabric(s), findings);
  ASSERT_EQ(checks.workloads.size(), 1u);
  const FlowsCheck& list = checks.workloads[0];
  EXPECT_EQ(list.flows, 3u);
  EXPECT_NEAR(list.least_bps, kFull / 2, 1);
  EXPECT_NEAR(list.median_bps, kFull / 2, 1);
  EXPECT_NEAR(list.most_bps, kFull, 1);
  EXPECT_EQ(list.most_on_a_link, 0u);  // no message crosses a link between switches
  EXPECT_NEAR(list.slowest_seconds, 2e6 * 8 / (kFull / 2), 1e-9);
  EXPECT_TRUE(findings.empty());
}

TEST(CheckFlows, WhatCannotEndBeforeTheDeadlineIsSaid) {
  const Scenario s = StarOf(
      3, "deadline: 2ms\nworkloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1GB}]}]\n");
  Findings findings;
  CheckFlows(Fabric(s), findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].what, HasSubstr("its slowest flow needs 86.41 ms at its fair rate of 92.59 Gb/s"));
}

// A full segment of 1460 B takes 1538 B on the wire, whatever RDMA's mtu.
TEST(CheckFlows, FlowsOverTcpHaveItsSegments) {
  for (const char* const services :
       {"services: [{name: s, type: storage, compute: \"h[0-2]\", extent_nodes: h3, front: {protocol: "
        "tcp}}]\n"
        "workloads: [{name: w, type: io, service: s, reads: 0%, depth: 1, blocks: [{size: 1MiB}]}]\n",
        "services: [{name: s, type: redis, servers: h3, clients: \"h[0-2]\", transport: libvma}]\n"
        "workloads: [{name: w, type: kv, service: s, keys: 1000, key: 16B, value: 4KiB}]\n",
        "services: [{name: s, type: brpc, servers: h3, clients: \"h[0-2]\", transport: tcp}]\n"
        "workloads: [{name: w, type: rpc, service: s, request: 64KiB, answer: 1KiB, depth: 1}]\n"}) {
    const Scenario s = StarOf(4, std::string("mtu: 4096\n") + services);
    Findings findings;
    const FlowsChecks checks = CheckFlows(Fabric(s), findings);
    ASSERT_EQ(checks.workloads.size(), 1u) << services;
    EXPECT_NEAR(checks.workloads[0].least_bps, 100e9 * 1460 / 1538 / 3, 1e3) << services;
  }
}

TEST(FlowsOf, MessagesOfAPairShareItsQueuePairsInTurn) {
  const Scenario s = StarOf(3, R"(
workloads:
  - {name: two, type: list, qp: {per_pair: 2}, messages: [{from: h0, to: h1, size: 1B}, {from: h0, to: h1, size: 2B}, {from: h0, to: h1, size: 4B}]}
  - {name: own, type: list, qp: per_message, messages: [{from: h0, to: h1, size: 1B}, {from: h0, to: h1, size: 2B}, {from: h0, to: h1, size: 4B}]}
  - {name: many, type: poisson, sizes: 1KB, load: 10%}
)");
  const Fabric fabric(s);
  const std::vector<Flow> two = FlowsOf(s.workloads[0], fabric, 10);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].bytes, 5);
  EXPECT_EQ(two[1].bytes, 2);
  EXPECT_EQ(two[1].source_port, SourcePort("two", "h0", "h1", 1));
  EXPECT_EQ(FlowsOf(s.workloads[1], fabric, 10).size(), 3u);
  EXPECT_TRUE(FlowsOf(s.workloads[1], fabric, 2).empty());  // more flows than the test asks for
  EXPECT_TRUE(FlowsOf(s.workloads[2], fabric, 10).empty());
}

TEST(MaySend, FollowsSourcesTargetsAndScope) {
  const Scenario s = ScenarioOf(R"(
name: racks
duration: 1ms
topology: {type: leaf_spine, leaves: 2, spines: 1, hosts_per_leaf: 2, host_link: {rate: 100Gbps, length: 3m},
           fabric_link: {rate: 100Gbps, length: 30m}}
workloads:
  - {name: near, type: poisson, sizes: 1KB, load: 10%, scope: rack}
  - {name: burst, type: incast, size: 1KB, to: h0}
  - {name: stream, type: stream, from: h1, to: h2, message: 1KB, in_flight: 1}
)");
  const Fabric fabric(s);
  EXPECT_TRUE(MaySend(s.workloads[0], fabric, 0, 1));
  EXPECT_FALSE(MaySend(s.workloads[0], fabric, 0, 2));
  EXPECT_FALSE(MaySend(s.workloads[0], fabric, 1, 1));
  EXPECT_TRUE(MaySend(s.workloads[1], fabric, 3, 0));
  EXPECT_FALSE(MaySend(s.workloads[1], fabric, 0, 3));
  EXPECT_TRUE(MaySend(s.workloads[2], fabric, 1, 2));
  EXPECT_FALSE(MaySend(s.workloads[2], fabric, 2, 1));
}

}  // namespace
}  // namespace headroom::check_flows_test

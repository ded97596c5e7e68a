#include "scenario/memory.h"

#include <gtest/gtest.h>

#include "scenario/load.h"

namespace headroom {
namespace {

const std::string kStar =
    "duration: 1ms\ntopology: {type: star, hosts: 4, link: {rate: 80Gbps, length: 3m}}\n";

double Messages(const std::string& workload) {
  const Scenario s = LoadScenarioText(kStar + "workloads: [{name: w, " + workload + "}]\n", "m.yaml", ".");
  return ExpectedMessages(s.workloads[0], s);
}

TEST(Memory, expected_messages) {
  // 4 senders × 10 GB/s × 1 ms × 50 % ÷ 10 KB
  EXPECT_DOUBLE_EQ(Messages("type: poisson, sizes: 10KB, load: 50%"), 4 * 10e9 * 1e-3 * 0.5 / 10e3);
  // 3 senders; bursts at 0, 300, 600 and 900 us, the fifth is too late
  EXPECT_DOUBLE_EQ(Messages("type: incast, to: h0, size: 1KB, repeat: {every: 300us, count: 5}"), 12);
  EXPECT_DOUBLE_EQ(Messages("type: incast, to: h0, size: 1KB, fan_in: 2"), 2);
  EXPECT_DOUBLE_EQ(Messages("type: permutation, size: 1KB"), 4);
  // one pair with 8 in flight, 10 GB/s for half of the time, 10 KB each
  EXPECT_DOUBLE_EQ(Messages("type: stream, from: h0, to: h1, message: 10KB, in_flight: 8, stop: 500us"),
                   8 + 500);
}

TEST(Memory, sizes_counted_from_the_keys_are_those_of_the_topology_built) {
  const std::string link = "{rate: 1Gbps, length: 1m}";
  for (const std::string& keys :
       {"type: star, hosts: 5, link: " + link,
        "type: dumbbell, left: 2, right: 5, link: " + link + ", bottleneck: " + link,
        "type: leaf_spine, leaves: 3, spines: 2, hosts_per_leaf: 4, host_link: " + link +
            ", fabric_link: " + link,
        "type: fat_tree, k: 6, link: " + link, "type: torus, dims: [3, 4, 5], link: " + link,
        "type: region, datacenters: 3, clusters: 2, racks: 3, hosts: 4, t1: 2, t2: 5, hubs: 3, links: "
        "{host: " +
            link + ", t0_t1: " + link + ", t1_t2: " + link + ", t2_rh: " + link + "}"}) {
    SCOPED_TRACE(keys);
    const ScenarioFile file = LoadScenarioFileText(
        "topology: {" + keys + "}\nworkloads: [{name: w, type: permutation, size: 1KB}]\n", "m.yaml", ".");
    const TopologySize size = SizeOf(file.source.topology);
    const Topology& built = file.scenario.topology;
    EXPECT_EQ(size.hosts, built.hosts);
    EXPECT_EQ(size.hosts + size.switches, static_cast<double>(built.nodes.size()));
    EXPECT_EQ(size.links, static_cast<double>(built.links.size()));
    std::vector<double> ports(built.nodes.size());
    for (const TopologyLink& l : built.links) ++ports[l.a.node], ++ports[l.b.node];
    EXPECT_EQ(size.most_ports, *std::max_element(ports.begin(), ports.end()));
  }
}

TEST(Memory, a_thousand_hosts_are_estimated_below_100_mb) {
  const Scenario s = LoadScenarioText(
      "topology: {type: fat_tree, k: 16, link: {rate: 100Gbps, length: 200m}}\n"
      "workloads: [{name: w, type: permutation, size: 1MB}]\n",
      "m.yaml", ".");
  EXPECT_LT(EstimateMemory(s), 100e6);
  EXPECT_GT(EstimateMemory(s), 10e6);
}

TEST(Memory, is_written_for_people) {
  EXPECT_EQ(FormatMemory(999), "999.0 B");
  EXPECT_EQ(FormatMemory(1.5e9), "1.5 GB");
  EXPECT_EQ(FormatMemory(2e12), "2.0 TB");
  EXPECT_GT(MachineMemory(), 1e6);
}

}  // namespace
}  // namespace headroom

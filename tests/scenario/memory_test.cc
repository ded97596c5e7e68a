#include "scenario/memory/memory.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <numeric>

#include "net/frame.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"
#include "nic/verbs/work_request.h"
#include "run/network.h"
#include "run/recording/records.h"
#include "scenario/expected_traffic.h"
#include "scenario/read/load.h"
#include "scenario/yaml/error.h"
#include "sim/simulator.h"
#include "support/in_child.h"
#include "switch/buffer/profiles.h"

namespace headroom::memory_test {
namespace {

const std::string kStar =
    "duration: 1ms\ntopology: {type: star, hosts: 4, link: {rate: 80Gbps, length: 3m}}\n";

double Messages(const std::string& workload) {
  const Scenario s = LoadScenarioText(kStar + "workloads: [{name: w, " + workload + "}]\n", "m.yaml", ".");
  return s.workloads[0].arrivals->Expected(s);
}

TEST(Memory, expected_messages) {
  // 4 senders × 10 GB/s × 1 ms × 50 % ÷ 10 KB
  EXPECT_DOUBLE_EQ(Messages("type: poisson, sizes: 10KB, load: 50%"), 4 * 10e9 * 1e-3 * 0.5 / 10e3);
  // 3 senders; bursts start at 0, 300, 600 and 900 us, the fifth would be too late
  EXPECT_DOUBLE_EQ(Messages("type: incast, to: h0, size: 1KB, repeat: {every: 300us, count: 5}"), 12);
  EXPECT_DOUBLE_EQ(Messages("type: incast, to: h0, size: 1KB, fan_in: 2"), 2);
  EXPECT_DOUBLE_EQ(Messages("type: permutation, size: 1KB"), 4);
  // one pair with 8 in flight, 10 GB/s for half of the time, 10 KB each
  EXPECT_DOUBLE_EQ(Messages("type: stream, from: h0, to: h1, message: 10KB, in_flight: 8, stop: 500us"),
                   8 + 500);
}

double QueuePairs(const std::string& workload) {
  const Scenario s = LoadScenarioText(kStar + "workloads: [{name: w, " + workload + "}]\n", "m.yaml", ".");
  const std::vector<double> by_source = ExpectedQueuePairs(s.workloads[0], s);
  return std::accumulate(by_source.begin(), by_source.end(), 0.0);
}

TEST(Memory, expected_queue_pairs) {
  // Each of 4 hosts sends to 3 others, over at most as many queue pairs as messages: 500 from each, 1 from
  // each.
  EXPECT_EQ(QueuePairs("type: poisson, sizes: 10KB, load: 50%"), 12);
  EXPECT_EQ(QueuePairs("type: poisson, sizes: 10KB, load: 50%, qp: {per_pair: 5}"), 60);
  EXPECT_EQ(QueuePairs("type: poisson, sizes: 10KB, load: 50%, qp: per_message"), 2000);
  EXPECT_EQ(QueuePairs("type: poisson, sizes: 5MB, load: 50%"), 4);
  EXPECT_EQ(QueuePairs("type: poisson, sizes: 10KB, load: 50%, from: h0"), 3);
  EXPECT_EQ(QueuePairs("type: incast, to: h0, size: 1KB, repeat: {every: 300us, count: 3}"), 3);
  EXPECT_EQ(QueuePairs("type: permutation, size: 1KB"), 4);
  EXPECT_EQ(QueuePairs("type: stream, from: h0, to: h1, message: 10KB, in_flight: 8, qp: {per_pair: 2}"), 2);
  const std::string list =
      "messages: [{at: 0us, from: h0, to: h1, size: 1KB}, {at: 0us, from: h0, to: h1, size: 1KB}, "
      "{at: 0us, from: h1, to: h0, size: 1KB}]";
  EXPECT_EQ(QueuePairs("type: list, " + list), 2);
  EXPECT_EQ(QueuePairs("type: list, qp: per_message, " + list), 3);
}

/// The most memory that a series adds; 2 classes, sampled at 0, 10 us … 10 ms, of 3 queue pairs at h0.
double SeriesBytes(const std::string& observe) {
  const std::string text =
      kStar + "workloads: [{name: w, type: stream, from: h0, to: \"*\", message: 1MB}]\n";
  const Scenario with = LoadScenarioText(text + "observe: {" + observe + "}\n", "m.yaml", ".");
  return EstimateMemory(with).worst - EstimateMemory(LoadScenarioText(text, "m.yaml", ".")).worst;
}

TEST(Memory, series_are_counted_to_the_deadline_over_the_ports_that_match) {
  constexpr double kMoved = 2;  // factor for vectors that grow
  const double queue = kMoved * sizeof(QueueSample), group = kMoved * sizeof(GroupSample);
  const double rate = kMoved * sizeof(RateSample), goodput = kMoved * sizeof(GoodputSample);
  EXPECT_NEAR(SeriesBytes("queues: {every: 10us}"), 8 * 2 * 1001 * queue, 1);
  EXPECT_NEAR(SeriesBytes("queues: {every: 10us, match: \"s0*\"}"), 4 * 2 * 1001 * queue, 1);
  EXPECT_NEAR(SeriesBytes("queues: {every: 10us, match: \"s0:p[01]\"}"), 2 * 2 * 1001 * queue, 1);
  EXPECT_NEAR(SeriesBytes("groups: {every: 10us}"), 4 * 2 * 1001 * group, 1);  // only switches have groups
  EXPECT_NEAR(SeriesBytes("rates: {every: 10us}"), 3 * 1001 * rate, 1);
  EXPECT_NEAR(SeriesBytes("rates: {every: 10us, match: h1}"), 0, 1);
  EXPECT_NEAR(SeriesBytes("goodput: {every: 10us}"), 1001 * goodput, 1);
}

double Frames(const std::string& link, const std::string& size) {
  return FramesInFlight(
             LoadScenarioText("topology: {type: star, hosts: 2, link: {rate: 80Gbps, " + link + "}}\n" +
                                  "workloads: [{name: w, type: permutation, size: " + size + "}]\n",
                              "m.yaml", "."))
      .worst;
}

TEST(Memory, frames_in_flight_are_what_links_and_buffers_hold_or_all_there_are) {
  EXPECT_EQ(Frames("length: 3m", "1KB"), 2);
  EXPECT_EQ(Frames("length: 3m", "10KiB"), 20);
  // Two links of 2 × 1 ms and a switch's 500 ns, with 10 B a ns; the buffer; and a frame more at each end of
  // a link. Frames of 1024 + 62 B.
  EXPECT_DOUBLE_EQ(
      Frames("delay: 1ms", "1GiB"),
      (2 * 2'000'500 * 10.0 + static_cast<double>(FindBufferProfile("azure-24mb")->size.v)) / 1086 + 4);
}

TEST(Memory, queue_pairs_and_frames_are_part_of_the_whole) {
  const auto whole = [](const std::string& qp, const std::string& size) {
    return EstimateMemory(LoadScenarioText(
        kStar + "workloads: [{name: w, type: permutation, size: " + size + ", qp: " + qp + "}]\n", "m.yaml",
        "."));
  };
  EXPECT_GE(whole("per_message", "2KiB").worst - whole("per_message", "1KiB").worst, 4 * sizeof(Frame));
  const auto list = [](const std::string& qp) {
    std::string text = kStar + "workloads: [{name: w, type: list, qp: " + qp + ", messages: [";
    for (int i = 0; i < 100; ++i) text += "{at: 0us, from: h0, to: h1, size: 1KB}, ";
    return EstimateMemory(
               LoadScenarioText(text + "{at: 0us, from: h0, to: h1, size: 1KB}]}]\n", "m.yaml", "."))
        .worst;
  };
  EXPECT_GT(list("per_message") - list("{per_pair: 1}"), 100 * (sizeof(Requester) + sizeof(Responder)));
}

double LessFor(const std::string& workload, const std::string& larger, const std::string& services = "") {
  const auto expected = [&](const std::string& w) {
    return EstimateMemory(
               LoadScenarioText(kStar + services + "workloads: [{name: w, " + w + "}]\n", "m.yaml", "."))
        .expected;
  };
  return expected(larger) - expected(workload);
}

// 100 processes at each end have 10,000 queue pairs with two ends, and for SENDs 256 RECVs and a window each.
TEST(Memory, processes_are_counted_by_pairs) {
  const std::string send = "type: verbs, verb: send, message: 16B, window: 16, from: h0, to: h1";
  EXPECT_GT(LessFor(send, send + ", processes: {from: 100, to: 100}"),
            9'999 * (2 * (sizeof(Requester) + sizeof(Responder)) + 272 * sizeof(ReceiveWork)));
}

TEST(Memory, the_part_that_takes_most_is_named_where_it_does_not_fit) {
  const std::string text = kStar +
                           "workloads:\n- {name: few, type: permutation, size: 1KB}\n"
                           "- {name: many, type: verbs, verb: send, message: 16B, window: 16, from: h0, to: "
                           "h1, processes: {from: 65536, "
                           "to: 65536}}\n";
  try {
    LoadScenarioText(text, "m.yaml", ".");
    FAIL();
  } catch (const ScenarioError& e) {
    const std::string said = e.what();
    EXPECT_TRUE(said.starts_with("m.yaml:5:3: the run would take about 85.")) << said;
    EXPECT_NE(
        said.find("for queue pairs of workload many, one for each of 65536 times 65536 processes; there is "),
        std::string::npos)
        << said;
    EXPECT_TRUE(said.ends_with(": give fewer processes, or a smaller window")) << said;
  }
}

TEST(Memory, sizes_counted_from_the_keys_are_those_of_the_topology_built) {
  const std::string link = "{rate: 1Gbps, length: 1m}";
  for (const std::string& keys :
       {"type: star, hosts: 5, link: " + link,
        "type: dumbbell, left: 2, right: 5, link: " + link + ", bottleneck: " + link,
        "type: leaf_spine, leaves: 3, spines: 2, hosts_per_leaf: 4, links_per_spine: 2, host_link: " + link +
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

#ifndef __SANITIZE_ADDRESS__  // it surrounds each object with memory, and keeps memory that other tests freed
// The estimate is at least the process's memory, and less than twice as much.
TEST(Memory, a_network_takes_about_what_was_estimated) {
  const char* topologies[] = {
      "{type: leaf_spine, leaves: 20, spines: 4, hosts_per_leaf: 400, host_link: {rate: 100Gbps, length: "
      "3m}, "
      "fabric_link: {rate: 100Gbps, length: 30m}}",
      "{type: leaf_spine, leaves: 100, spines: 100, hosts_per_leaf: 1, host_link: {rate: 100Gbps, length: "
      "3m}, "
      "fabric_link: {rate: 100Gbps, length: 30m}}"};
  for (const char* topology : topologies) {
    InChild([&] {
      const Scenario s = LoadScenarioText(
          std::string("topology: ") + topology +
              "\nworkloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1KB}]}]\n",
          "m.yaml", ".");
      const auto resident = [] {
        std::ifstream statm("/proc/self/statm");
        double size = 0, pages = 0;
        statm >> size >> pages;
        return pages * static_cast<double>(sysconf(_SC_PAGE_SIZE));
      };
      StartSimulator(1, Driver::fast);
      malloc_trim(0);  // memory that reading has freed must not count for the network
      const double before = resident();
      const Network network(s);
      const double taken = resident() - before;
      TopologySize size;
      size.hosts = s.topology.hosts;
      size.switches = static_cast<double>(s.topology.nodes.size()) - size.hosts;
      size.links = static_cast<double>(s.topology.links.size());
      const double estimated = EstimateMemory(size);
      EXPECT_LT(taken, estimated);
      EXPECT_GT(taken, estimated / 2);
    });
  }
}
#endif

TEST(Memory, a_thousand_hosts_are_estimated_at_about_100_mb) {
  const Scenario s = LoadScenarioText(
      "topology: {type: fat_tree, k: 16, link: {rate: 100Gbps, length: 200m}}\n"
      "workloads: [{name: w, type: permutation, size: 1MB}]\n",
      "m.yaml", ".");
  EXPECT_LT(EstimateMemory(s).expected, 150e6);
  EXPECT_GT(EstimateMemory(s).expected, 80e6);
}

TEST(Memory, is_written_for_people) {
  EXPECT_EQ(FormatMemory(999), "999.0 B");
  EXPECT_EQ(FormatMemory(1.5e9), "1.5 GB");
  EXPECT_EQ(FormatMemory(2e12), "2.0 TB");
  EXPECT_GT(MachineMemory(), 1e6);
}

}  // namespace
}  // namespace headroom::memory_test

// The estimate of CPU time, for RDMA and for TCP. The ratio of both does not depend on the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "analysis/check/check.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_cpu_against_runs_test {
namespace {

#ifdef __OPTIMIZE__
constexpr bool kOptimized = true;
#else
constexpr bool kOptimized = false;
#endif

Scenario OverTcp(const std::string& service, const std::string& workload, const std::string& duration) {
  return ScenarioOf("name: tcp\nduration: " + duration + R"(
topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2, host_link: {rate: 100Gbps, length: 3m},
           fabric_link: {rate: 100Gbps, length: 30m}}
priorities:
  backup: {priority: 1, dscp: 8, lossless: false, weight: 1}
  cnp: {priority: 6, dscp: 48, lossless: false, strict: true}
services: [{name: s, )" +
                    service + "}]\nworkloads: [{name: w, service: s, " + workload + "}]\n");
}

/// CPU time of a run as a multiple of the estimate.
double MeasuredToEstimated(const Scenario& s) {
  const double estimated = CheckScenario(Fabric(s)).traffic.run_seconds;
  double least = 1e9;
  for (int i = 0; i < 2; ++i) {
    least = std::min(least, std::stod(TextFromChild([&] {
                       RunOptions options;
                       options.check = false;
                       const std::clock_t before = std::clock();
                       headroom::Run(s, options);
                       return std::to_string(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
                     })));
  }
  return least / estimated;
}

TEST(CpuEstimate, TcpCostsAsMuchMoreThanRdmaAsInRuns) {
  if (!kOptimized) GTEST_SKIP() << "without optimization, Headroom's code is slow beside ns-3's";
  const double rdma = MeasuredToEstimated(ScenarioOf(R"(
name: rdma
duration: 1ms
deadline: 1s
topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 5m}}
workloads: [{name: w, type: permutation, size: 50MB}]
)"));
  const std::string hosts = ", compute: [h0, h1], extent_nodes: [h2, h3]";
  for (const Scenario& s :
       {OverTcp("type: storage, front: {protocol: tcp, priority: backup}, disk: {write: 20us, read: 85us}" +
                    hosts,
                "type: io, reads: 0%, depth: 2, blocks: [{size: 1MiB}]", "3ms"),
        OverTcp("type: redis, servers: h0, clients: [h1, h2], transport: tcp, priority: backup",
                "type: kv, keys: 1000, value: 4KiB", "6ms"),
        OverTcp("type: brpc, servers: h0, clients: [h1, h2], transport: tcp, priority: backup",
                "type: rpc, request: 64KiB, answer: 1KiB, depth: 8", "3ms")}) {
    const double ratio = MeasuredToEstimated(s) / rdma;
    EXPECT_GT(ratio, 1 / 3.0) << s.services.size();
    EXPECT_LT(ratio, 3.0) << s.services.size();
  }
}

TEST(CpuEstimate, PacketsOfTcpHaveACostOfTheirOwn) {
  const std::string service = "type: brpc, servers: h2, clients: h0, transport: ",
                    workload = "type: rpc, request: 64KiB, answer: 1KiB, depth: 8";
  const Scenario s = OverTcp(service + "tcp", workload, "1ms");
  const TrafficCheck traffic = CheckScenario(Fabric(s)).traffic;
  EXPECT_NEAR(traffic.tcp_packets, traffic.packet_hops / 4, 1e-6 * traffic.packet_hops);
  EXPECT_NEAR(traffic.run_seconds,
              traffic.packet_hops / kUsualSpeed + traffic.packet_hops / 4 / kUsualTcpSpeed, 1e-9);
  EXPECT_EQ(CheckScenario(Fabric(OverTcp(service + "rdma", workload, "1ms"))).traffic.tcp_packets, 0);
}

}  // namespace
}  // namespace headroom::check_cpu_against_runs_test

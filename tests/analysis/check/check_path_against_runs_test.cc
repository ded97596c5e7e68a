// The queue pairs of services take the links that `check --path` states.
#include <gtest/gtest.h>

#include <set>

#include "analysis/bounds/flows.h"
#include "analysis/check/check_path.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_path_against_runs_test {
namespace {

/// h0 and h1 are at leaf0, h2 and h3 at leaf1, with eight spines between them.
Scenario Between(const std::string& service, const std::string& workload) {
  return ScenarioOf(R"(
name: spines
duration: 500us
deadline: 40ms
topology: {type: leaf_spine, leaves: 2, spines: 8, hosts_per_leaf: 2,
           host_link: {rate: 400Gbps, length: 3m}, fabric_link: {rate: 400Gbps, length: 30m}}
services: [{name: s, )" +
                    service + "}]\nworkloads: [{name: w, service: s, " + workload + "}]\n");
}

/// The spines to which leaf0 sends data of h1 to h2: those of the run, and those stated.
/// `set_up`: bytes that connecting sends at most.
void ExpectTheLinksOfTheRun(const std::string& service, const std::string& workload, size_t queue_pairs,
                            uint64_t set_up = 20'000) {
  InChild([&] {
    const Scenario s = Between(service, workload);
    const Fabric fabric(s);
    std::set<std::string> stated, used;
    size_t users = 0;
    for (const PathCheck& path : CheckPath(fabric, "h1", "h2")) {
      stated.insert(path.steps.at(1).to);
      users += path.used_by.size();
      for (const std::string& by : path.used_by) EXPECT_TRUE(by.starts_with("w, queue pair ")) << by;
    }
    EXPECT_EQ(users, queue_pairs);
    size_t flows = 0;
    for (const Flow& flow : FlowsOf(s.workloads[0], fabric, 100)) flows += flow.from == 1 && flow.to == 2;
    EXPECT_EQ(flows, queue_pairs);
    const RunRecord r = headroom::Run(s, {});
    for (const PortRecord& port : r.ports) {
      uint64_t bytes = 0;
      for (const PortPriorityCounters& c : port.priority) bytes += c.tx_bytes;
      if (fabric.node(port.node).name != "leaf0" || bytes < set_up) continue;
      for (const TopologyLink& link : s.topology.links) {
        const auto spine = [&](const LinkEnd& here, const LinkEnd& there) {
          if (here.node == port.node && here.port_index == port.port && !fabric.node(there.node).is_host)
            used.insert(fabric.node(there.node).name);
        };
        spine(link.a, link.b);
        spine(link.b, link.a);
      }
    }
    EXPECT_EQ(stated, used);
  });
}

TEST(PathsOfServices, ChannelsOfNccl) {
  const std::string workload = "type: send_receive, size: 8MB, from: h1";
  ExpectTheLinksOfTheRun("type: nccl, ranks: [h1, h2], channels: 1", workload, 1);
  ExpectTheLinksOfTheRun("type: nccl, ranks: [h1, h2], channels: 4", workload, 4);
  ExpectTheLinksOfTheRun("type: nccl, ranks: [h1, h2], channels: 4, group: 2, queue_pairs: 3", workload, 6);
}

TEST(PathsOfServices, ConnectionsOfBrpc) {
  ExpectTheLinksOfTheRun("type: brpc, servers: h2, clients: h1", "type: rpc, request: 1MB, answer: 64B", 1);
}

TEST(PathsOfServices, TensorsOfTensorflow) {
  ExpectTheLinksOfTheRun("type: tensorflow, parameter_servers: h1, workers: h2",
                         "type: tensors, tensors: [{size: 1MB}], gradients: false", 1);
}

TEST(PathsOfServices, ValuesOfRedisOverRdma) {
  ExpectTheLinksOfTheRun("type: redis, servers: h2, clients: h1, transport: rdma",
                         "type: kv, value: 4KiB, keys: 100, puts: 100%", 1, 1);
}

TEST(PathsOfServices, ManyConnections) {
  const std::string workload = "type: transfers, verb: write, size: 64KB";
  const std::string hosts = ", servers: h2, clients: h1, connections: 6, threads: 2";
  ExpectTheLinksOfTheRun("type: queue_pairs" + hosts, workload, 6);
  ExpectTheLinksOfTheRun("type: locked, share: 2" + hosts, workload, 3);
  ExpectTheLinksOfTheRun("type: rdmavisor" + hosts, workload, 1);
}

TEST(PathsOfServices, PortsOfARunAreNotStated) {
  const Scenario s =
      Between("type: redis, servers: h2, clients: h1, transport: tcp", "type: kv, value: 4KiB, keys: 100");
  EXPECT_EQ(CheckPath(Fabric(s), "h1", "h2").at(0).used_by.at(0),
            "the queue pairs of this service choose their ports in a run; the times are for a flow from UDP "
            "port 49152");
}

}  // namespace
}  // namespace headroom::check_path_against_runs_test

// More work than cores have time for. Beyond saturation the throughput equals that with just enough open
// requests to keep the cores busy. This holds for every transport, and whichever cores are the limit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::work_beyond_cores_test {
namespace {

/// The cores that a service uses, and the depth of a closed loop that keeps them busy.
struct Kind {
  std::string name, service, workload, closed;
  double clients = 1;  ///< number of clients among which a rate is divided
  std::string hosts;   ///< software costs of the hosts
  int ms = 4;          ///< duration of arrivals, after 1 ms of warm-up
};

std::string Yaml(const Kind& kind, const std::string& load) {
  return fmt::format(R"(name: overload
duration: {0}ms
deadline: {0}ms
warmup: 1ms
mtu: 4096
topology: {{type: star, hosts: [c0, c1, n0, n1, n2], link: {{rate: 100Gbps, delay: 200ns}}}}
nics: [{{match: "*", congestion_control: none}}]
{1}services:
  - {{name: st, {2}}}
workloads:
  - {{name: w, service: st, {3}{4}}}
observe: {{operations: none}}
)",
                     kind.ms + 1, kind.hosts, kind.service, kind.workload, load);
}

/// Successful operations a second.
double Throughput(const std::string& yaml) {
  SCOPED_TRACE(yaml);
  const std::string text = TextFromChild([&] {
    const RunRecord record = headroom::Run(LoadScenarioText(yaml, "s.yaml", "."), {});
    double done = 0, seconds = 0;
    for (const OperationTotals& t : record.operation_totals[0]) {
      EXPECT_EQ(t.failed, 0u);
      done += static_cast<double>(t.steady);
      seconds = std::max(seconds, InSeconds(t.span));
    }
    EXPECT_GT(done, 300);
    return std::to_string(done / seconds);
  });
  return text.empty() ? 0 : std::stod(text);
}

/// Software costs of hosts with these names.
std::string Costs(const char* match) {
  return fmt::format(
      "hosts: [{{match: '{}', cores: 1, clock: 2.5GHz, rdma: {{cycles_per_message: 1500, cycles_per_byte: "
      "0.32}},"
      " tcp: {{cycles_per_message: 5450, cycles_per_byte_sent: 0.22, cycles_per_byte_received: 0.57}},"
      " operation: {{cycles_per_request: 7200}}}}]\n",
      match);
}

std::vector<Kind> Disks() {
  std::vector<Kind> kinds;
  for (const char* protocol : {"sk_rdma", "su_rdma", "tcp"}) {
    for (const std::string hosts : {"c*", "n*", "*"}) {
      for (const bool system : {false, true}) {
        if (system && hosts == "c*") continue;  // their cores do not take part in it
        Kind k;
        k.name = fmt::format("{}{} {}", protocol, system ? " system" : "", hosts);
        k.service = fmt::format(
            "type: storage, compute: \"c*\", extent_nodes: \"n*\", front: {{protocol: {}}}", protocol);
        if (system)
          k.service += fmt::format(", front_ends: \"n*\", partition_servers: \"n*\", back: {{protocol: {}}}",
                                   protocol);
        k.workload = "type: io, reads: 50%, blocks: [{size: 8KiB}]";
        k.closed = ", depth: 32";
        k.clients = 2;
        k.hosts = Costs(hosts.c_str());
        k.ms = system ? 10 : 4;
        kinds.push_back(k);
      }
    }
  }
  return kinds;
}

std::vector<Kind> KeysAndConnections() {
  std::vector<Kind> kinds;
  for (const char* system : {"herd", "pilaf", "farm", "farm_var"}) {
    for (const char* mix : {"puts: 50%", "read_modify_writes: 50%"}) {
      Kind k;
      k.name = fmt::format("{} {}", system, mix);
      k.service = fmt::format("type: {}, servers: n0, clients: c0, processes: 3, window: 16", system);
      k.workload = fmt::format("type: kv, keys: 1000, value: 32B, {}", mix);
      k.ms = 1;
      kinds.push_back(k);
    }
  }
  for (const char* system : {"rdmavisor", "queue_pairs", "locked"}) {
    Kind k;
    k.name = system;
    k.service = fmt::format("type: {}, clients: c0, servers: [n0, n1], connections: 64, threads: 2{}", system,
                            system == std::string("locked") ? ", share: 2" : "");
    k.workload = "type: transfers, size: 1KiB, verb: write";
    k.closed = ", window: 1";
    k.ms = 1;
    kinds.push_back(k);
  }
  return kinds;
}

void ExpectKept(const std::vector<Kind>& kinds) {
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    const double closed = Throughput(Yaml(kind, kind.closed));
    for (const double times : {1.5, 4.0}) {  // with less a run ends before the backlog has built up
      const double open =
          Throughput(Yaml(kind, fmt::format(", rate: {:.0f}", times * closed / kind.clients)));
      EXPECT_GT(open, 0.95 * closed) << times << " times";
    }
  }
}

TEST(Overload, leaves_disks_the_throughput_of_a_closed_loop) { ExpectKept(Disks()); }

TEST(Overload, leaves_keys_and_connections_the_throughput_of_a_closed_loop) {
  ExpectKept(KeysAndConnections());
}

// Each of two hosts is the other's server, with two cores. One starts more operations than there is time for;
// the other starts few, and gets them all nevertheless.
TEST(Overload, of_one_host_leaves_another_that_it_serves_its_share) {
  InChild([] {
    const std::string text = fmt::format(
        R"(duration: 10ms
deadline: 10ms
warmup: 2ms
mtu: 4096
topology: {{type: star, hosts: [a, b], link: {{rate: 100Gbps, delay: 200ns}}}}
nics: [{{match: "*", congestion_control: none}}]
hosts: [{{match: "*", cores: 2, clock: 2.5GHz, rdma: {{cycles_per_message: 1500}}, operation: {{cycles_per_request: 7200}}}}]
services:
  - {{name: ab, type: storage, compute: a, extent_nodes: b, front: {{protocol: sk_rdma}}}}
  - {{name: ba, type: storage, compute: b, extent_nodes: a, front: {{protocol: sk_rdma}}}}
workloads:
  - {{name: much, type: io, service: ab, reads: 100%, rate: 400000, blocks: [{{size: 8KiB}}]}}
  - {{name: little, type: io, service: ba, reads: 100%, rate: 20000, blocks: [{{size: 8KiB}}]}}
)");
    const RunRecord record = headroom::Run(LoadScenarioText(text, "s.yaml", "."), {});
    const auto& little = record.operation_totals[1];
    uint64_t offered = 0, finished = 0;
    for (const OperationTotals& t : little) offered += t.offered, finished += t.finished;
    EXPECT_GT(offered, 100u);
    EXPECT_GT(finished, offered * 9 / 10);
  });
}

// Beyond the core's capacity, the wait alone takes longer than the timeout: requests are repeated, and the
// repetitions are counted, also of operations that do not end.
TEST(Overload, with_timeouts_counts_what_is_asked_for_again_though_it_does_not_end) {
  Kind k = Disks().at(1);  // the servers' cores, with sK-RDMA
  k.service += ", timeout: 100us, retries: 3";
  InChild([&] {
    const RunRecord record = headroom::Run(LoadScenarioText(Yaml(k, ", rate: 600000"), "s.yaml", "."), {});
    uint64_t retries = 0, unfinished = 0;
    for (const OperationTotals& t : record.operation_totals[0]) {
      retries += t.retries;
      unfinished += t.offered - t.finished;
    }
    EXPECT_GT(unfinished, 100u);
    EXPECT_GT(retries, unfinished / 2);
  });
}

}  // namespace
}  // namespace headroom::work_beyond_cores_test

// Services with each congestion control: WRITEs, SENDs and READs in both directions, and datagrams that no
// control counts.
#include <gtest/gtest.h>

#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::controls_test {
namespace {

/// Six clients of three servers read and write four times as much as the servers' lines carry.
Scenario With(const std::string& control, const std::string& protocol, const std::string& system) {
  return LoadScenarioText(
      "duration: 100us\ndeadline: 20ms\n"
      "topology: {type: leaf_spine, leaves: 3, spines: 2, hosts_per_leaf: 3, host_link: {rate: 25Gbps, "
      "length: 3m}, "
      "fabric_link: {rate: 50Gbps, length: 50m}}\n"
      "switches: [{match: \"*\", ecn: {storage: {kmin: 40KB, kmax: 40KB, pmax: 100%}}}]\n"
      "nics: [{match: \"*\", congestion_control: " +
          control +
          "}]\nservices:\n"
          "  - {name: store, type: storage, compute: \"h[0-5]\", extent_nodes: \"h[6-8]\", front: "
          "{protocol: " +
          protocol +
          "}, disk: {read: 5us, write: 5us}}\n"
          "  - {name: cache, type: " +
          system +
          ", clients: \"h[0-5]\", servers: h6}\nworkloads:\n"
          "  - {name: disks, type: io, service: store, reads: 50%, depth: 8, blocks: [{size: 64KiB, share: "
          "100%}]}\n"
          "  - {name: gets, type: kv, service: cache, keys: 1000, puts: 20%}\n",
      "services.yaml", ".");
}

TEST(Controls, ServicesCompleteUnderEachOfThem) {
  for (const char* control :
       {"hpcc", "dctcp", "{type: timely, low: 20us, additive: 1Gbps, header: 8}", "{type: swift, header: 12}",
        "receiver_credit", "{type: receiver_credit, free: 0B, share: 60%}"}) {
    for (const auto& [protocol, system] : {std::pair("sk_rdma", "pilaf"), std::pair("su_rdma", "herd")}) {
      InChild([&, protocol = protocol, system = system] {
        RunOptions options;
        options.check = true;
        const RunRecord r = headroom::Run(With(control, protocol, system), options);
        EXPECT_EQ(r.status, RunStatus::complete) << control << ", " << protocol << ", " << system;
        EXPECT_GT(r.operations.size(), 100u);
      });
    }
  }
}

}  // namespace
}  // namespace headroom::controls_test

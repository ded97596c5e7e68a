// Keys of services of type brpc and workloads of type rpc: their meaning, their written form, and refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "protocol/brpc/brpc_parameters.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "workload/rpc_arrivals.h"
#include "workload/service_load.h"

namespace headroom::brpc_keys_test {
namespace {

std::string TextWith(const std::string& service, const std::string& workload) {
  return fmt::format(
      "topology: {{type: star, hosts: 4, link: {{rate: 100Gbps, length: 3m}}}}\n"
      "services: [{{name: rpc, type: brpc, servers: \"h[01]\", clients: \"h[1-3]\"{}}}]\n"
      "workloads: [{{name: calls, type: rpc, service: rpc{}}}]\nduration: 1ms\n",
      service, workload);
}
ScenarioFile With(const std::string& service, const std::string& workload) {
  return LoadScenarioFileText(TextWith(service, workload), "x.yaml", ".");
}
std::string RefusalOfText(const std::string& text) {
  try {
    LoadScenarioText(text, "x.yaml", ".");
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}
std::string RefusalOf(const std::string& service, const std::string& workload = "") {
  return RefusalOfText(TextWith(service, workload));
}

TEST(BrpcKeys, default_to_what_bRPC_has) {
  const ScenarioFile file = With("", "");
  const auto& p = file.scenario.services.at(0).As<BrpcParameters>();
  BrpcParameters standard;
  static_cast<ServiceParameters&>(standard) = p;
  EXPECT_EQ(p, standard);
  EXPECT_EQ(p.BlockData(), 8160u);
  EXPECT_EQ(p.Window(), Bytes(125 * 8160));
  EXPECT_TRUE(p.HasRdma(0));
  EXPECT_EQ(p.TcpClass(), p.priority);
  const auto& a = file.scenario.workloads[0].arrivals.As<RpcArrivals>();
  EXPECT_EQ(a.from, p.clients);
  EXPECT_EQ(a.to, p.servers);
}

TEST(BrpcKeys, are_written_as_they_are_read) {
  const ScenarioFile file = With(
      ", transport: rdma, block: 64KiB, sq: 64, rq: 256, without_rdma: [h1, \"h[23]\"], event_per_message: "
      "true, workers: 3, message: "
      "2us, "
      "handler: 5us, costs: {wake: 3us, kernel: {call: 1us}}",
      ", request: 2KiB, answer: 3KiB, depth: 7, stop: 500us, from: h2");
  const auto& p = file.scenario.services.at(0).As<BrpcParameters>();
  EXPECT_EQ(p.without_rdma, (std::vector<NodeId>{1, 2, 3}));
  EXPECT_TRUE(p.event_per_message);
  EXPECT_EQ(p.costs.kernel.call, Microseconds(1));
  EXPECT_EQ(p.costs.kernel.delay, ApplicationCosts().kernel.delay);
  const std::string written = WriteResolved(file).yaml;
  const Scenario again = LoadScenarioText(written, "resolved.yaml", ".");
  EXPECT_EQ(again.services, file.scenario.services);
  EXPECT_EQ(again.workloads[0].arrivals, file.scenario.workloads[0].arrivals);
}

TEST(BrpcKeys, are_refused_with_the_cure) {
  EXPECT_EQ(RefusalOf(", block: 512B"), "x.yaml:2:80: \"512B\" is out of range; allowed: 1KiB to 2MiB");
  EXPECT_EQ(RefusalOf(", sq: 8"), "x.yaml:2:77: \"8\" is out of range; allowed: 16 to 4096");
  EXPECT_EQ(RefusalOf(", event_per_message: maybe"),
            "x.yaml:2:92: \"maybe\" is neither true nor false; allowed: true, false");
  EXPECT_EQ(RefusalOf(", transport: tpc"),
            "x.yaml:2:84: \"tpc\" is not an allowed value; allowed: rdma, tcp; did you mean \"tcp\"?");
  EXPECT_EQ(RefusalOf("", ", depth: 4, rate: 100"),
            "x.yaml:3:59: \"depth\" beside \"rate\"; give rate for an open loop, or depth for a closed loop");
  EXPECT_EQ(RefusalOf("", ", from: h0"),
            "x.yaml:3:58: \"h0\" is not a client of service \"rpc\"; give a client of the service");
  const std::string network =
      "topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}\nduration: 1ms\n";
  EXPECT_EQ(RefusalOfText(network + "services: [{name: rpc, type: brpc, servers: h0, clients: \"h[01]\"}]\n"
                                    "workloads: [{name: w, type: permutation, size: 1MB}]\n"),
            "x.yaml:3:12: client \"h0\" of service \"rpc\" has no server except itself; give another server, "
            "or take this host out of clients");
  EXPECT_EQ(RefusalOfText(network + "workloads: [{name: calls, type: rpc, service: rpc}]\n"),
            "x.yaml:3:47: there is no service of calls \"rpc\"; services: [{name: …, type: brpc, …}]");
}

TEST(BrpcKeys, of_memory_count_blocks_and_open_calls) {
  const auto service_bytes = [](const std::string& service, const std::string& workload) {
    const Scenario s = With(service, workload).scenario;
    ServiceLoad load;
    load.largest = Bytes(65 * 1024);
    return s.services[0]->Footprint(s.topology, load, {Exactly(10), Exactly(10), {}})->worst;
  };
  const double all = service_bytes("", "");
  // Five connections have two ends, each with 256 blocks.
  EXPECT_GT(all, 5 * 2 * 256 * 8160.0);
  EXPECT_LT(all, 1.2 * 5 * 2 * 256 * 8160.0);
  EXPECT_LT(service_bytes(", transport: tcp", ""), 0.1 * all);
  EXPECT_LT(service_bytes(", sq: 16, rq: 16", ""), 0.25 * all);
}

}  // namespace
}  // namespace headroom::brpc_keys_test

// Complete runs of services of type brpc: calls over RDMA, over TCP and with fallback, the parts of their
// time, and bounds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "protocol/service_record.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/operation_parts.h"

namespace headroom::brpc_service_test {
namespace {

RunRecord RunOf(const std::string& service, const std::string& workload, const std::string& more = "") {
  const std::string text = fmt::format(
      "mtu: 1024B\ntopology: {{type: star, hosts: 4, link: {{rate: 100Gbps, delay: 1us}}}}\n"
      "services: [{{name: rpc, type: brpc, servers: \"h[01]\", clients: \"h[1-3]\"{}}}]\n"
      "workloads: [{{name: calls, type: rpc, service: rpc{}}}]\nduration: 1ms\n{}",
      service, workload, more);
  return Run(LoadScenarioText(text, "brpc.yaml", "."), {});
}

double CountOf(const RunRecord& record, const std::string& name) {
  for (const auto& [key, value] : record.services[0]->counts) {
    if (key == name) return std::visit([](auto v) { return static_cast<double>(v); }, value);
  }
  ADD_FAILURE() << name;
  return 0;
}

const OperationTotals& Calls(const RunRecord& record) {
  return record.operation_totals[0][static_cast<size_t>(OperationKind::call)];
}

void ExpectAllWell(const RunRecord& record, uint64_t least = 100) {
  EXPECT_EQ(record.status, RunStatus::complete);
  EXPECT_GE(Calls(record).finished, least);
  EXPECT_EQ(Calls(record).finished, Calls(record).offered);
  EXPECT_EQ(Calls(record).failed + Calls(record).corrupt, 0u);
  EXPECT_EQ(CountOf(record, "failures") + CountOf(record, "corrupt"), 0);
  for (const OperationRecord& o : record.operations) {
    EXPECT_EQ(std::accumulate(o.parts.begin(), o.parts.end(), Time()), o.completed - o.start);
  }
}

TEST(BrpcService, calls_end_over_rdma_over_tcp_and_with_hosts_that_fall_back) {
  for (const char* service : {"", ", transport: tcp", ", without_rdma: h0", ", without_rdma: \"h[12]\""}) {
    InChild([&] {
      const RunRecord record = RunOf(service, ", depth: 8, request: 3KiB, answer: 40KiB");
      ExpectAllWell(record);
      // Connections of h1, h2, h3 to h0, and of h2, h3 to h1.
      const double rdma = std::string(service).empty() ? 5
                          : service[2] == 't'          ? 0
                          : service[16] == 'h'         ? 2
                                                       : 1;
      EXPECT_EQ(CountOf(record, "rdma_connections"), rdma) << service;
      EXPECT_EQ(CountOf(record, "tcp_connections"), 5 - rdma) << service;
      EXPECT_EQ(CountOf(record, "data_sends") > 0, rdma > 0) << service;
    });
  }
}

TEST(BrpcService, a_lone_call_sends_what_its_messages_take) {
  InChild([] {
    // Each client makes 100 calls a second for 1 ms: hardly any. There is one client with a closed loop, one
    // call at a time.
    const RunRecord record = RunOf("", ", from: h3, depth: 1, request: 1KiB, answer: 64KiB");
    EXPECT_EQ(record.status, RunStatus::complete);
    const auto calls = static_cast<double>(Calls(record).finished);
    ASSERT_GT(calls, 10);
    // 12 + 40 + 1024 B are one block, 12 + 12 + 65,536 B are 9 blocks.
    EXPECT_EQ(CountOf(record, "data_sends"), 10 * calls);
    EXPECT_EQ(CountOf(record, "data_bytes"), (12 + 40 + 1024 + 12 + 12 + 65'536) * calls);
    // A client's requests carry its counts: no other message acknowledges.
    EXPECT_EQ(CountOf(record, "ack_sends"), 0);
    EXPECT_EQ(CountOf(record, "handshake_bytes"), 5 * 84);
    EXPECT_GT(CountOf(record, "set_up_us"), 5 * 2.0);
  });
}

TEST(BrpcService, waits_for_its_window_as_a_part_of_time) {
  InChild([] {
    const RunRecord record = RunOf(", sq: 16, rq: 16", ", from: h3, depth: 4, request: 64B, answer: 1MiB");
    ExpectAllWell(record, 10);
    EXPECT_GT(CountOf(record, "window_waits"), 100);
    Time credits, all;
    for (const OperationRecord& o : record.operations) {
      credits += o.parts[static_cast<size_t>(OperationPart::credits)];
      all += o.completed - o.start;
    }
    EXPECT_GT(2 * credits.v, all.v);
  });
}

TEST(BrpcService, open_calls_come_at_their_rate_and_lost_packets_are_no_lost_calls) {
  InChild([] {
    const RunRecord record = RunOf("", ", rate: 100000, request: 100B, answer: 20KiB",
                                   "faults: [{type: loss, link: [h0, s0], probability: 1/2000}]\n");
    ExpectAllWell(record);
    EXPECT_NEAR(static_cast<double>(Calls(record).offered), 300, 90);
  });
}

TEST(BrpcService, calls_fail_once_their_connection_has) {
  InChild([] {
    const RunRecord record =
        RunOf("", ", from: h3, depth: 4",
              "faults: [{type: link_down, link: [h0, s0], start: 500us, stop: 2s}]\ndeadline: 3s\n");
    EXPECT_GT(Calls(record).failed, 0u);
    EXPECT_EQ(Calls(record).finished, Calls(record).offered);
    EXPECT_GT(CountOf(record, "failures"), 0);
  });
}

}  // namespace
}  // namespace headroom::brpc_service_test

// Complete runs of messages between ranks. Each message arrives once, and its time is split along its causes.
// A failed completion ends the communicator.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/services/operation_traffic.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/dice.h"
#include "support/in_child.h"
#include "support/operation_parts.h"
#include "support/scenarios.h"
#include "support/service_counts.h"

namespace headroom::nccl_service_test {
namespace {

Scenario Ranks(const std::string& service, const std::string& workload, const std::string& more = "",
               double loss = 0) {
  return Exact(LoadScenarioText(
      fmt::format(
          "topology: {{type: star, hosts: [g0, g1, g2, g3], link: {{rate: 100Gbps, length: 100m, loss: "
          "{}%}}}}\n"
          "services: [{{name: ring, type: nccl, ranks: \"g*\", timeout: 6{}}}]\n"
          "workloads: [{{name: pairs, type: send_receive, service: ring, {}}}]\n"
          "nics: [{{match: \"*\", congestion_control: none}}]\nduration: 1ms\ndeadline: 1s\n{}",
          100 * loss, service, workload, more),
      "x.yaml", "."));
}

TEST(NcclService, every_message_arrives_once) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] {
      Dice d(seed);
      const int64_t channels = d.Between(1, 4), group = d.Between(1, channels);
      const double loss = d.OneIn(2) ? 0.001 : 0;
      const RunRecord record =
          headroom::Run(Ranks(fmt::format(", channels: {}, group: {}, chunk: {}KiB, distances: [1, 2]",
                                          channels, group, d.Between(1, 128)),
                              fmt::format("size: {}B, late: {}us, distance: {}", d.Between(1, 900'000),
                                          d.Between(0, 1) * 20, d.Between(1, 2)),
                              "", loss),
                        {});
      EXPECT_EQ(record.status, RunStatus::complete);
      EXPECT_TRUE(record.conservation.Ok());
      auto counts = CountsOf(record);
      uint64_t bytes = 0;
      for (const OperationRecord& o : record.operations) {
        ASSERT_TRUE(o.Finished());
        EXPECT_EQ(o.status, OperationStatus::ok);
        EXPECT_EQ(Sum(o), o.completed - o.start);
        bytes += static_cast<uint64_t>(o.bytes.v);
      }
      EXPECT_GE(record.operations.size(), 4u);
      EXPECT_EQ(counts["sent_bytes"], bytes);
      EXPECT_EQ(counts["received_bytes"], bytes);
      EXPECT_EQ(counts["clear_to_sends"], counts["data_messages"]);
      EXPECT_EQ(counts["received"], counts["data_messages"]);
      EXPECT_EQ(counts["unexpected"], 0u);
      EXPECT_EQ(counts["aborted"], 0u);
    });
  }
}

/// A message waits for its receiver: all of that is time of the peer, and the message takes longer by it.
TEST(NcclService, a_late_receiver_is_waited_for) {
  const auto mean = [](int late) {
    const std::string text = TextFromChild([late] {
      const RunRecord record =
          headroom::Run(Ranks("", fmt::format("size: 2MB, late: {}us, from: g0", late)), {});
      Time all, peer;
      for (const OperationRecord& o : record.operations) {
        all += o.completed - o.start;
        peer += Part(o, OperationPart::peer);
      }
      const auto n = static_cast<int64_t>(record.operations.size());
      return std::to_string(all.v / n) + " " + std::to_string(peer.v / n);
    });
    return std::pair(Time(std::stoll(text)), Time(std::stoll(text.substr(text.find(' ')))));
  };
  const auto punctual = mean(0), late = mean(40);
  EXPECT_EQ(late.first - punctual.first, Microseconds(40));
  EXPECT_EQ(late.second - punctual.second, Microseconds(40));
}

TEST(NcclService, a_failed_completion_ends_the_communicator) {
  InChild([] {
    const RunRecord record =
        headroom::Run(Ranks(", retries: 0", "size: 300KB",
                            "faults: [{type: link_down, link: [g0, s0], start: 500us, stop: 900ms}]\n"),
                      {});
    EXPECT_EQ(CountsOf(record)["aborted"], 1u);
    size_t failed = 0;
    for (const OperationRecord& o : record.operations) {
      EXPECT_TRUE(o.Finished());
      failed += o.status == OperationStatus::failed;
    }
    EXPECT_EQ(failed, 4u);  // one of each rank
    EXPECT_GT(record.operations.size(), 4u);
  });
}

TEST(NcclService, check_knows_what_it_puts_on_links) {
  for (const char* service : {"", ", channels: 3, group: 2, chunk: 10KiB", ", adaptive_routing: true",
                              ", queue_pairs: 3, split: true, chunk: 64KiB"}) {
    SCOPED_TRACE(service);
    InChild([service] {
      const Scenario s = Ranks(service, "size: 500000B");
      const RunRecord record = headroom::Run(s, {});
      const Fabric fabric(s);
      OperationTraffic traffic(fabric);
      s.workloads[0].arrivals->AddTraffic(s, traffic);
      double measured = 0, expected = 0;
      for (const PortRecord& port : record.ports)
        measured += static_cast<double>(port.priority[3].tx_wire_bytes);
      for (const double bytes : traffic.OnLinks().wire) expected += bytes;
      EXPECT_NEAR(measured, expected * static_cast<double>(record.operations.size()), 1e-6 * measured);
    });
  }
}

TEST(NcclService, keys_are_refused_with_what_mends_them) {
  InChild([] {
    const auto refused = [](const std::string& service, const std::string& workload, const char* with) {
      try {
        Ranks(service, workload);
        ADD_FAILURE() << service << workload;
      } catch (const ScenarioError& e) {
        EXPECT_NE(std::string(e.what()).find(with), std::string::npos) << e.what();
      }
    };
    refused(", group: 3", "size: 1KB", "a group of 3 channels exceeds the number of channels, 2");
    refused(", distances: [4]", "size: 1KB, distance: 4",
            "at distance 4, each of the 4 ranks would send to itself");
    refused("", "size: 1KB, distance: 2",
            "connects no ranks at distance 2; give a distance that the service has (1)");
    refused("", "size: 1KB, from: [g0, s0]", "s0");
    refused(", channels: 65", "size: 1KB", "allowed: 1 to 64");
    refused("}, {name: train, type: tensorflow, workers: g0, parameter_servers: g1",
            "size: 1KB}, {name: x, "
            "type: send_receive, service: train, size: 1KB",
            "service \"train\" is of type tensorflow");
  });
}

}  // namespace
}  // namespace headroom::nccl_service_test

// Complete runs of Redis: the messages of a GET, and histories, whatever is lost.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/check/services/check_keys.h"
#include "protocol/keyvalue/key_value_record.h"
#include "run/judged.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/dice.h"
#include "support/in_child.h"

namespace headroom::redis_test {
namespace {

std::string Yaml(const std::string& service, const std::string& workload, const std::string& rest = "",
                 uint64_t seed = 1) {
  return fmt::format(R"(name: redis
seed: {}
duration: 100ms
deadline: 1s
topology: {{type: star, hosts: 4, link: {{rate: 100Gbps, length: 5m}}}}
nics: [{{match: "*", transport: {{rto: 100us}}}}]
services:
  - {{name: store, type: redis, servers: h0, {}}}
workloads:
  - {{name: keys, type: kv, service: store, keys: 50, {}}}
{})",
                     seed, service, workload, rest);
}

// There are two writes, of the command and of the reply, and no commands except the registrations: the first
// of each end, and one for each MiB that arrived.
TEST(Redis, takes_two_writes_and_no_send_for_a_request) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Dice dice(seed);
    const int64_t connections = dice.Between(1, 9), pipeline = dice.OneOf<int64_t>({1, 1, 4}),
                  value = dice.Between(3, 3000), each = dice.Between(20, 300);
    const std::string yaml = Yaml(
        fmt::format("clients: [h1], connections: {}, client_threads: {}, pipeline: {}, io_threads: {}",
                    connections, dice.Between(1, connections), pipeline, dice.Between(1, 3)),
        fmt::format("value: {}B, puts: 0%, operations: {}", value, connections * pipeline * each), "", seed);
    SCOPED_TRACE(yaml);
    InChild([&] {
      const RunRecord record = Judged(yaml);
      ExpectRight(record);
      const auto& of = record.Service<KeyValueRecord>(0);
      ASSERT_EQ(record.operations.size(), static_cast<size_t>(connections * pipeline * each));
      const int64_t reply = value + 5 + static_cast<int64_t>(std::to_string(value).size());
      const int64_t asked = connections * pipeline * each;
      EXPECT_EQ(of.streams->connections, static_cast<uint64_t>(connections));
      EXPECT_EQ(of.streams->written_bytes, static_cast<uint64_t>(asked * (36 + reply)));
      EXPECT_EQ(of.hits, static_cast<uint64_t>(asked));
      const auto at_least = static_cast<uint64_t>(2 * asked / pipeline);
      // A reply that exceeds the end of a buffer, or a reply buffer of 16 KiB, is split.
      EXPECT_GE(of.streams->writes, at_least);
      EXPECT_LE(of.streams->writes,
                at_least + static_cast<uint64_t>(asked * reply / 16384 + 2 * connections));
      EXPECT_LE(of.streams->registrations,
                static_cast<uint64_t>(2 * connections + asked * (36 + reply) / (1 << 20)));
      EXPECT_GE(of.streams->registrations, static_cast<uint64_t>(2 * connections));
      EXPECT_EQ(of.streams->keepalives, 0u);
    });
  }
}

TEST(Redis, keeps_what_was_set_whatever_is_lost) {
  uint64_t judged = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    Dice dice(seed);
    const std::string yaml =
        Yaml(fmt::format(
                 "clients: [h1, h2, h3], connections: {}, client_threads: 2, pipeline: {}, io_threads: {}, "
                 "buffer: 64KiB",
                 dice.Between(2, 6), dice.Between(1, 8), dice.Between(1, 4)),
             fmt::format("value: {}B, puts: 40%, read_modify_writes: 10%, inserts: {}%, distribution: zipf, "
                         "operations: 2000",
                         dice.Between(8, 600), dice.Between(0, 5)),
             fmt::format("faults:\n"
                         "  - {{type: loss, probability: {}%, link: [h0, s0], start: 0us, stop: 20ms}}\n"
                         "  - {{type: loss, probability: {}%, link: [h{}, s0], start: 0us, stop: 20ms}}\n",
                         dice.Between(1, 3), dice.Between(1, 3), dice.Between(1, 3)),
             seed);
    SCOPED_TRACE(yaml);
    judged += std::stoull(TextFromChild([&] {
      const RunRecord record = Judged(yaml);
      ExpectRight(record);
      EXPECT_EQ(record.operations.size(), 2000u);
      uint64_t parts_off = 0;
      for (const OperationRecord& o : record.operations) {
        Time sum;
        for (const Time part : o.parts) sum += part;
        parts_off += o.Finished() && sum != o.completed - o.start;
      }
      EXPECT_EQ(parts_off, 0u);
      return std::to_string(record.histories->operations);
    }));
  }
  EXPECT_GT(judged, 15'000u);
}

// A request of several segments does not wait for the ACK of the last but one, and a small lost one is sent
// again after the shortest timeout, 200 ms.
TEST(Redis, over_libvma_waits_for_nothing_but_losses) {
  for (const bool loses : {false, true}) {
    for (const char* value : {"512B", "4KB", "100KB"}) {
      const std::string yaml = Yaml(
          "clients: [h1], connections: 4, client_threads: 2, transport: libvma",
          fmt::format("value: {}, puts: 50%, operations: 400", value),
          loses ? "faults: [{type: loss, link: [h1, s0], probability: 1%, start: 1ms, stop: 3ms}]\n" : "");
      SCOPED_TRACE(yaml);
      InChild([&] {
        const RunRecord record = Judged(yaml);
        ExpectRight(record);
        ASSERT_EQ(record.operations.size(), 400u);
        for (const OperationRecord& o : record.operations) {
          ASSERT_TRUE(o.Finished());
          EXPECT_LT(o.completed - o.start, loses ? Milliseconds(450) : Milliseconds(1));
        }
      });
    }
  }
}

TEST(Redis, is_warned_of_connections_that_are_not_open_in_time) {
  const auto warned = [](const char* duration, const char* transport) {
    const Scenario s = LoadScenarioText(
        fmt::format(
            "name: late\nduration: {}\ntopology: {{type: star, hosts: 3, link: {{rate: 25Gbps, length: "
            "5m}}}}\n"
            "services: [{{name: store, type: redis, servers: h0, clients: \"h[1-2]\", transport: {}}}]\n"
            "workloads: [{{name: gets, type: kv, service: store, value: 512B}}]\n",
            duration, transport),
        "test.yaml", ".");
    Findings findings;
    CheckKeys(s, findings);
    return std::ranges::any_of(findings, [](const Finding& f) {
      return f.what.find("connections cannot all open") != std::string::npos;
    });
  };
  // 100 connections take 263.6 us each at the server.
  EXPECT_TRUE(warned("26ms", "rdma"));
  EXPECT_FALSE(warned("27ms", "rdma"));
  EXPECT_FALSE(warned("10ms", "tcp"));
}

}  // namespace
}  // namespace headroom::redis_test

// Complete runs of key-value services: properties of each, despite losses and pauses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "protocol/keyvalue/key_value_record.h"
#include "run/record_text.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/operation_parts.h"
#include "support/scenarios.h"

namespace headroom::key_value_test {
namespace {

const char* const kServices[] = {
    "herd",
    "pilaf",
    "pilaf, tables: true",
    "farm",
    "farm, tables: true",
    "farm_var",
    "farm_var, tables: true",
    "echo",
    "echo, request: {verb: send, transport: ud}, reply: {verb: send, transport: ud}",
    "echo, request: {verb: send, transport: rc}, reply: {verb: write, transport: uc}"};

struct Asked {
  std::string service = "herd";
  std::string resources = "ideal";
  std::string more;  ///< more keys of the service
  std::string of;    ///< more keys of the workload
  std::string rest;  ///< more keys of the scenario
  int64_t duration_us = 200;
  int clients = 3;
  uint64_t seed = 1;
};

std::string Yaml(const Asked& a) {
  const bool echo = a.service.starts_with("echo");
  return fmt::format(
      R"(name: keys
seed: {}
duration: {}us
deadline: {}us
topology: {{type: star, hosts: {}, link: {{rate: 100Gbps, length: 5m}}}}
nics: [{{match: "*", resources: {{set: {}}}, transport: {{rto: 100us}}}}]
services:
  - {{name: store, type: {}, servers: [h0, h1], clients: [{}], {}}}
workloads:
  - {{name: keys, type: kv, service: store, keys: 500{}{}}}
{})",
      a.seed, a.duration_us, a.duration_us + 100'000, 2 + a.clients, a.resources, a.service,
      [&] {
        std::string names;
        for (int c = 0; c < a.clients; ++c) names += fmt::format("{}h{}", c == 0 ? "" : ", ", c + 2);
        return names;
      }(),
      a.more, echo ? "" : ", puts: 30%", a.of.empty() ? "" : ", " + a.of, a.rest);
}

RunRecord RunText(const std::string& yaml, const RunOptions& options = {}) {
  return headroom::Run(Exact(LoadScenarioText(yaml, "test.yaml", ".")), options);
}

/// Expects what holds for every run.
void ExpectSound(const RunRecord& record) {
  EXPECT_EQ(record.status, RunStatus::complete);
  EXPECT_TRUE(record.conservation.Ok());
  EXPECT_GT(record.operations.size(), 20u);
  for (const OperationRecord& o : record.operations) {
    ASSERT_TRUE(o.Finished());
    EXPECT_NE(o.status, OperationStatus::corrupt);
    for (const Time part : o.parts) EXPECT_GE(part, Time(0));
    EXPECT_EQ(Sum(o), o.completed - o.start);
    ExpectWaitsOfParts(record, o);
    // A failed or repeated request cannot be assigned to a message.
    if (o.status == OperationStatus::ok && o.retries == 0) {
      EXPECT_EQ(Part(o, OperationPart::network), Time{});
    }
    EXPECT_LE(o.start, o.times.posted);
    EXPECT_LE(o.times.posted, o.completed);
  }
  EXPECT_EQ(record.Service<KeyValueRecord>(0).wrong, 0u);
}

uint64_t Count(const RunRecord& record, OperationKind kind, OperationStatus status = OperationStatus::ok) {
  return static_cast<uint64_t>(std::ranges::count_if(
      record.operations, [&](const OperationRecord& o) { return o.kind == kind && o.status == status; }));
}

Asked Random(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  constexpr const char* kSets[] = {"ideal", "connectx3-pcie3-x8", "gen2"};
  Asked a;
  a.seed = seed;
  a.service = kServices[seed % std::size(kServices)];
  a.resources = kSets[below(3)];
  a.clients = 1 + static_cast<int>(below(4));
  a.more = fmt::format("processes: {}, client_processes: {}, window: {}, timeout: {}us, retries: {}",
                       1 + below(4), 1 + below(3), 1 + below(8), 30 + below(100), 1 + below(5));
  a.of = fmt::format("value: {}B", 1 + below(200));
  a.rest = "faults:\n";
  for (uint32_t i = below(3); i > 0; --i)
    a.rest += fmt::format("  - {{type: loss, probability: {}%, link: [h{}, s0], start: {}us, stop: 150us}}\n",
                          1 + below(5), below(static_cast<uint32_t>(2 + a.clients)), below(50));
  a.rest += fmt::format("  - {{type: pause_storm, priority: storage, node: h{}, start: {}us, stop: 120us}}\n",
                        below(static_cast<uint32_t>(2 + a.clients)), 20 + below(60));
  return a;
}

TEST(KeyValue, whatever_is_lost_or_paused_every_operation_ends_and_its_parts_sum_to_its_time) {
  uint64_t failed = 0, retried = 0;
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    const std::string yaml = Yaml(Random(seed));
    SCOPED_TRACE(yaml);
    const std::string text = TextFromChild([&] {
      RunOptions options;
      options.check = true;
      const RunRecord record = RunText(yaml, options);
      ExpectSound(record);
      return fmt::format(
          "{} {}", std::ranges::count(record.operations, OperationStatus::failed, &OperationRecord::status),
          record.Service<KeyValueRecord>(0).retried);
    });
    failed += std::stoull(text);
    retried += std::stoull(text.substr(text.find(' ')));
  }
  EXPECT_GT(retried, 100u);
  EXPECT_GT(failed, 0u);
}

TEST(KeyValue, what_is_asked_for_beyond_the_window_waits_until_there_is_room) {
  for (const char* service : kServices) {
    Asked a;
    a.service = service;
    a.duration_us = 50;
    a.more = "processes: 1, window: 2, timeout: never, retries: 0";
    a.of = "rate: 5000000";
    SCOPED_TRACE(Yaml(a));
    InChild([&] {
      const RunRecord record = RunText(Yaml(a));
      ExpectSound(record);
      EXPECT_GT(record.operations.size(), 600u);
    });
  }
}

TEST(KeyValue, a_lone_operation_is_its_frames_the_nics_and_the_server_s_core) {
  // A GET of HERD is a WRITE of a key of 16 B and a datagram with a value of 100 B back, over two links each.
  // A GET of FaRM is a READ of six items with key and value. No message waits for a link.
  const auto wires = [](const std::string& service) {
    return TextFromChild([&] {
      Asked a;
      a.service = service;
      a.clients = 1;
      a.more = "processes: 1, window: 1";
      a.of = "value: 100B";
      a.resources = "connectx3-pcie3-x8";
      std::string yaml = Yaml(a);
      yaml.replace(yaml.find("puts: 30%"), 9, "puts: 0%");
      const RunRecord record = RunText(yaml);
      EXPECT_GT(record.operations.size(), 10u);
      std::set<int64_t> found;
      for (const OperationRecord& o : record.operations) {
        found.insert(Part(o, MessagePart::wire).v);
        EXPECT_GT(Part(o, MessagePart::nic), Time{});
        Time known = Part(o, MessagePart::wire) + Part(o, MessagePart::nic);
        for (const OperationPart part : {OperationPart::core, OperationPart::core_queue})
          known += Part(o, part);
        EXPECT_EQ(known, o.completed - o.start);
      }
      return fmt::format("{}", fmt::join(found, " "));
    });
  };
  // Ethernet, preamble and gap, IP, UDP, BTH, ICRC; and RETH, DETH, ImmDt or AETH. A byte takes 80 ps, a
  // cable has 5 m, the switch takes 500 ns.
  constexpr int64_t kFrame = 14 + 4 + 20 + 20 + 8 + 12 + 4;
  const auto of_bytes = [](int64_t bytes) {
    return fmt::format("{}", 2 * 80 * bytes + 4 * 25'000 + 2 * 500'000);
  };
  EXPECT_EQ(wires("herd"), of_bytes(kFrame + 16 + 16 + kFrame + 8 + 4 + 100));
  EXPECT_EQ(wires("farm"), of_bytes(kFrame + 16 + kFrame + 4 + 6 * (16 + 100)));
}

TEST(KeyValue, depends_on_the_seed_and_on_nothing_else) {
  for (uint32_t seed = 31; seed <= 40; ++seed) {
    Asked a = Random(seed);
    SCOPED_TRACE(Yaml(a));
    const auto text = [&](const RunOptions& options) {
      return TextFromChild([&] { return RecordText(RunText(Yaml(a), options)); });
    };
    const std::string once = text({});
    RunOptions other;
    other.driver = Driver::ns3_default;
    other.lanes = false;
    other.check = true;
    ExpectSameText(text(other), once);
    a.seed += 1000;
    EXPECT_NE(text({}), once);
  }
}

TEST(KeyValue, littles_law_holds_of_every_service) {
  for (const char* service : kServices) {
    for (const char* resources : {"ideal", "connectx3-pcie3-x8"}) {
      SCOPED_TRACE(fmt::format("{} {}", service, resources));
      InChild([=] {
        Asked a;
        a.service = service;
        a.resources = resources;
        a.more = "processes: 2, client_processes: 2, window: 4";
        const RunRecord record = RunText(Yaml(a));
        ExpectSound(record);
        // From 50 to 200 us: the time for which operations were open, over this span, is the mean number of
        // open ones.
        const Time from = Microseconds(50), until = Microseconds(200);
        double open = 0;
        for (const OperationRecord& o : record.operations)
          open += static_cast<double>(
              std::max(Time(0), std::min(o.completed, until) - std::max(o.start, from)).v);
        EXPECT_DOUBLE_EQ(open / static_cast<double>((until - from).v), 3 * 2 * 4);
        // Throughput times mean latency is the same, except for operations at either end.
        double latency = 0;
        uint64_t ended = 0;
        for (const OperationRecord& o : record.operations) {
          if (o.completed <= from || o.completed > until) continue;
          latency += static_cast<double>((o.completed - o.start).v);
          ++ended;
        }
        const double ends = 3 * 2 * 4 * latency / static_cast<double>(ended);
        EXPECT_NEAR(latency, 24.0 * static_cast<double>((until - from).v), ends);
        EXPECT_GT(ended, 24u * 5);
      });
    }
  }
}

/// Bytes of the class storage that servers sent.
uint64_t SentByServers(const RunRecord& record) {
  uint64_t bytes = 0;
  for (const PortRecord& p : record.ports)
    if (p.node < 2) bytes += p.priority[3].tx_bytes;
  return bytes;
}

struct Gets {
  double each = 0, reads = 0;  ///< for each GET: bytes that servers sent, READs
};
Gets GetsOf(const char* service, int value) {
  const std::string text = TextFromChild([=] {
    Asked a;
    a.service = service;
    a.of = fmt::format("value: {}B", value);
    a.duration_us = 1000;
    std::string yaml = Yaml(a);
    yaml.replace(yaml.find("puts: 30%"), 9, "puts: 0%");
    const RunRecord record = RunText(yaml);
    ExpectSound(record);
    const uint64_t gets = Count(record, OperationKind::get);
    EXPECT_EQ(gets, record.operations.size());
    EXPECT_EQ(record.Service<KeyValueRecord>(0).hits, gets);
    const auto n = static_cast<double>(gets);
    return fmt::format("{:.17g} {:.17g}", static_cast<double>(SentByServers(record)) / n,
                       static_cast<double>(record.Service<KeyValueRecord>(0).reads) / n);
  });
  return {std::stod(text), std::stod(text.substr(text.find(' ')))};
}

TEST(KeyValue, gets_are_the_reads_that_papers_say) {
  // There is one READ of 6 (SK + SV).
  const Gets farm = GetsOf("farm", 32);
  EXPECT_EQ(farm.reads, 1);
  const double header = farm.each - 6 * (16 + 32);
  EXPECT_GT(header, 40);
  EXPECT_LT(header, 80);
  EXPECT_DOUBLE_EQ(GetsOf("farm", 64).each, header + 6 * (16 + 64));
  // There is one of 6 (SK + SP), and one of SV.
  const Gets var = GetsOf("farm_var", 48);
  EXPECT_EQ(var.reads, 2);
  EXPECT_DOUBLE_EQ(var.each, 2 * header + 6 * (16 + 8) + 48);
  // There are 1.6 of 32 B on average, and one of SV.
  const Gets pilaf = GetsOf("pilaf", 48);
  EXPECT_NEAR(pilaf.reads, 2.6, 0.05);
  EXPECT_NEAR(pilaf.each, pilaf.reads * header + (pilaf.reads - 1) * 32 + 48, 1e-6);
  // HERD's answers carry the values; answers to PUTs carry none.
  EXPECT_EQ(GetsOf("herd", 48).reads, 0);
}

TEST(KeyValue, puts_read_nothing_and_a_read_modify_write_is_a_get_and_a_put) {
  for (const char* service : {"farm", "farm_var", "farm, tables: true"}) {
    SCOPED_TRACE(service);
    InChild([=] {
      Asked a;
      a.service = service;
      a.of = "read_modify_writes: 30%";
      const RunRecord record = RunText(Yaml(a));
      ExpectSound(record);
      const uint64_t modifies = Count(record, OperationKind::read_modify_write);
      const uint64_t reading = Count(record, OperationKind::get) + modifies;
      uint64_t requests = 0;
      for (const ServerProcessRecord& p : record.Service<KeyValueRecord>(0).processes) requests += p.requests;
      EXPECT_GT(modifies, 20u);
      EXPECT_EQ(
          record.Service<KeyValueRecord>(0).reads,
          (std::string(service) == "farm_var" ? 2 : 1) * reading + record.Service<KeyValueRecord>(0).torn);
      EXPECT_EQ(requests, Count(record, OperationKind::put) + modifies);
    });
  }
}

TEST(KeyValue, a_cache_forgets_what_its_log_has_overwritten_and_is_never_wrong) {
  const auto misses = [](const char* log) {
    return std::stoull(TextFromChild([=] {
      Asked a;
      a.more = fmt::format("processes: 1, log: {}", log);
      a.of = "value: 100B";
      const RunRecord record = RunText(Yaml(a));
      ExpectSound(record);
      const KeyValueRecord& kv = record.Service<KeyValueRecord>(0);
      EXPECT_EQ(kv.hits + kv.misses, Count(record, OperationKind::get));
      EXPECT_GT(kv.hits, 0u);
      return std::to_string(kv.misses);
    }));
  };
  EXPECT_EQ(misses("1MB"), 0u);
  EXPECT_GT(misses("8KiB"), 100u);
}

TEST(KeyValue, a_value_that_is_damaged_behind_the_nics_checks_is_wrong) {
  for (const char* service : {"herd", "farm, tables: true", "pilaf, tables: true"}) {
    SCOPED_TRACE(service);
    InChild([=] {
      Asked a;
      a.service = service;
      a.rest = "faults: [{type: corrupt, probability: 5%, node: h2}]\n";
      const RunRecord record = RunText(Yaml(a));
      const KeyValueRecord& kv = record.Service<KeyValueRecord>(0);
      const auto corrupt =
          std::ranges::count(record.operations, OperationStatus::corrupt, &OperationRecord::status);
      EXPECT_EQ(kv.wrong, static_cast<uint64_t>(corrupt));
      // A reader that finds a damaged value reads it again.
      if (std::string(service) == "herd") {
        EXPECT_GT(kv.wrong, 5u);
      } else {
        EXPECT_GT(kv.torn, 0u);
      }
    });
  }
}

TEST(KeyValue, a_value_that_lies_damaged_in_a_table_is_not_read_for_ever) {
  InChild([] {
    Asked a;
    a.service = "farm, tables: true";
    a.rest = "faults: [{type: corrupt, probability: 20%, node: h0}]\n";
    const RunRecord record = RunText(Yaml(a));
    EXPECT_EQ(record.status, RunStatus::complete);
    EXPECT_GT(record.Service<KeyValueRecord>(0).wrong, 0u);
  });
}

TEST(KeyValue, a_link_that_is_down_for_long_fails_what_needs_it_and_nothing_else) {
  for (const char* service : kServices) {
    SCOPED_TRACE(service);
    InChild([=] {
      Asked a;
      a.service = service;
      a.more = "timeout: 20us, retries: 2";
      a.rest = "faults: [{type: link_down, link: [h2, s0], start: 50us, stop: 50ms}]\n";
      const RunRecord record = RunText(Yaml(a));
      ExpectSound(record);
      // RC repeats its packets until the link is up again, and they arrive.
      uint64_t hurt = 0;
      for (const OperationRecord& o : record.operations) {
        hurt += o.status == OperationStatus::failed || o.completed > Milliseconds(50);
        EXPECT_TRUE(o.client == 2 || o.status == OperationStatus::ok);
      }
      EXPECT_GE(hurt, 4u);
    });
  }
}

}  // namespace
}  // namespace headroom::key_value_test

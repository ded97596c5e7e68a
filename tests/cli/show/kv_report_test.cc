// `headroom show DIR kv`: YCSB's report on results made by hand.
#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>

#include "cli/show/show.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/keyvalue/key_value_record.h"
#include "report/result.h"
#include "report/small_storage_run.h"
#include "report/summary/summary.h"
#include "workload/key_value_arrivals.h"

namespace headroom::kv_report_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

Scenario SmallKeysScenario(uint32_t one_in) {
  Scenario s = SmallScenario();
  KeyValueParameters cache;
  cache.name = "cache";
  cache.type = "herd";
  cache.clients = {0};
  cache.servers = {1};
  s.services = {cache};
  KeyValueArrivals keys;
  keys.from = {0};
  keys.to = {1};
  keys.puts = 0.5;
  WorkloadParameters& w = s.workloads[0];
  w.name = "gets";
  w.type = "kv";
  w.arrivals = keys;
  s.observe.operations.one_in = one_in;
  return s;
}

std::string Resolved(const std::string& operations) {
  return std::string("name: small\nseed: 7\nduration: 2s\n") + kSmallNetworkYaml +
         "services:\n  - {name: cache, type: herd, clients: a, servers: b}\nworkloads:\n  - {name: gets, "
         "type: kv, "
         "service: cache, puts: 50%}\nobserve: {operations: " +
         operations + "}\n";
}

/// GETs take 1 to 20 µs. One failed after 40 µs, and one returned a wrong value after 50 µs. A PUT took 3 µs,
/// one belongs to the warm-up, one is unfinished.
std::vector<OperationRecord> SmallOperations() {
  std::vector<OperationRecord> all;
  const auto add = [&](OperationKind kind, Time took) -> OperationRecord& {
    const auto number = static_cast<uint32_t>(all.size());
    OperationRecord& o = all.emplace_back();
    o.number = number;
    o.client = 0;
    o.participants.Add(1);
    o.kind = kind;
    o.bytes = Bytes(32);
    o.start = Microseconds(10);
    if (took != kNever) o.completed = o.start + took;
    return o;
  };
  for (int us = 1; us <= 20; ++us) add(OperationKind::get, Microseconds(us));
  add(OperationKind::get, Microseconds(40)).status = OperationStatus::failed;
  add(OperationKind::get, Microseconds(50)).status = OperationStatus::corrupt;
  add(OperationKind::put, Microseconds(3));
  add(OperationKind::put, Microseconds(7)).ramp = true;
  add(OperationKind::get, kNever);
  return all;
}

class KvReport : public ::testing::Test {
 protected:
  KvReport() : root_(fs::temp_directory_path() / ("headroom-kv-" + std::to_string(getpid()))) {
    Write("all", 1);
  }
  ~KvReport() override { fs::remove_all(root_); }

  void Write(const std::string& operations, uint32_t one_in) {
    const Scenario s = SmallKeysScenario(one_in);
    RunRecord r = SmallRecord();
    r.messages.clear();
    r.operations = SmallOperations();
    r.operation_totals.resize(1);
    r.services = {std::make_shared<KeyValueRecord>()};
    for (const OperationRecord& o : r.operations) {
      OperationTotals& t = r.operation_totals[0][static_cast<size_t>(o.kind)];
      t.span = Microseconds(50);
      t.steady += o.Finished() && o.status == OperationStatus::ok;
      if (o.ramp) continue;
      ++t.offered;
      if (!o.Finished()) {
        t.unfinished.push_back(r.end - o.start);
        continue;
      }
      ++t.finished;
      t.failed += o.status == OperationStatus::failed;
      t.corrupt += o.status == OperationStatus::corrupt;
      t.latencies.Add(o.completed - o.start);
    }
    if (one_in == 0) r.operations.clear();
    WriteResult(root_, s, r, Summarise(s, r, {}), {{"resolved.yaml", Resolved(operations)}}, true);
  }
  std::string Text(std::optional<std::string> node = {}, bool json = false,
                   const std::string& table = "kv") const {
    std::ostringstream out;
    Show(root_, {table, node, false, json}, out);
    return out.str();
  }
  std::string Refusal(std::optional<std::string> node, const std::string& table = "kv") const {
    try {
      Text(node, false, table);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "no error";
  }

  const fs::path root_;
};

TEST_F(KvReport, has_ycsbs_lines) {
  const std::string text = Text();
  const std::string expected =
      "[READ], Operations, 20\n"
      "[READ], AverageLatency(us), 10.500\n"
      "[READ], MinLatency(us), 1.000\n"
      "[READ], MaxLatency(us), 20.000\n"
      "[READ], 50thPercentileLatency(us), 10.000\n"
      "[READ], 95thPercentileLatency(us), 19.000\n"
      "[READ], 99thPercentileLatency(us), 20.000\n"
      "[READ], Return=OK, 20\n"
      "[READ], Return=ERROR, 1\n"
      "[READ], Return=UNEXPECTED_STATE, 1\n"
      "[READ-FAILED], Operations, 2\n"
      "[READ-FAILED], AverageLatency(us), 45.000\n";
  EXPECT_NE(text.find(expected), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("# workload gets\n[OVERALL], RunTime(ms), ")) << text;
  EXPECT_NE(text.find("[UPDATE], Operations, 1\n[UPDATE], AverageLatency(us), 3.000\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("INSERT"), std::string::npos);
}

TEST_F(KvReport, has_redis_benchmarks_columns) {
  const ordered_json tests = ordered_json::parse(Text({}, true, "redis")).at("tests");
  ASSERT_EQ(tests.size(), 2u);
  const ordered_json& get = tests.at(0);
  EXPECT_EQ(get.at("test"), "GET");
  EXPECT_EQ(get.at("requests"), 20);
  EXPECT_DOUBLE_EQ(get.at("avg_latency_ms"), 0.0105);
  EXPECT_DOUBLE_EQ(get.at("min_latency_ms"), 0.001);
  EXPECT_DOUBLE_EQ(get.at("p50_latency_ms"), 0.01);
  EXPECT_DOUBLE_EQ(get.at("p95_latency_ms"), 0.019);
  EXPECT_DOUBLE_EQ(get.at("p99_latency_ms"), 0.02);
  EXPECT_DOUBLE_EQ(get.at("max_latency_ms"), 0.02);
  EXPECT_EQ(tests.at(1).at("test"), "SET");
  // One SET of the warm-up ended within the measured time.
  const double gets = get.at("rps"), sets = tests.at(1).at("rps");
  EXPECT_NEAR(gets / sets, 10, 1e-9);
  EXPECT_NE(Text({}, false, "redis").find("p95_latency_ms"), std::string::npos);
  Write("none", 0);
  const ordered_json summed = ordered_json::parse(Text({}, true, "redis")).at("tests").at(0);
  EXPECT_TRUE(summed.at("min_latency_ms").is_null());
  EXPECT_EQ(summed.at("requests"), 22);
}

TEST_F(KvReport, throughput_is_of_what_ended_well_over_the_run_time) {
  const ordered_json all = ordered_json::parse(Text({}, true)).at("workloads").at(0).at("measurements");
  const double ms = all.at(0).at("value"), a_second = all.at(1).at("value");
  EXPECT_EQ(all.at(0).at("measurement"), "RunTime(ms)");
  EXPECT_NEAR(a_second * ms / 1e3, 22, 1e-6);  // one operation of the warm-up also ended within it
}

TEST_F(KvReport, of_a_host_is_named) {
  EXPECT_TRUE(Text("a").starts_with("# workload gets of a\n"));
  EXPECT_NE(Refusal("b").find("no host \"b\" sends requests for keys"), std::string::npos) << Refusal("b");
}

TEST_F(KvReport, without_lines_has_what_the_summary_knows) {
  Write("none", 0);
  const std::string text = Text();
  EXPECT_NE(text.find("[READ], Operations, 22\n"), std::string::npos) << text;
  EXPECT_NE(text.find("[READ], MaxLatency(us), >="), std::string::npos) << text;
  EXPECT_NE(text.find("[UPDATE], 99thPercentileLatency(us), 3.000\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("[READ], MinLatency"), std::string::npos) << text;
  EXPECT_NE(text.find("# operations.csv has no line of an operation: summary.json's numbers"),
            std::string::npos);
  EXPECT_NE(Refusal("a").find("observe: {operations: all}"), std::string::npos);
}

TEST_F(KvReport, is_named_where_there_are_no_ios) {
  EXPECT_NE(Refusal({}, "io").find("operations on keys by the table \"kv\""), std::string::npos)
      << Refusal({}, "io");
}

}  // namespace
}  // namespace headroom::kv_report_test

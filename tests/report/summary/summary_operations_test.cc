// Operations, services and cores in summary.json.
#include <gtest/gtest.h>

#include "report/aggregate.h"
#include "report/metric_value.h"
#include "report/small_storage_run.h"
#include "report/summary/summary.h"

namespace headroom::summary_operations_test {
namespace {

using nlohmann::ordered_json;

ordered_json Summary() { return Summarise(SmallStorageScenario(), SmallStorageRecord(), {}); }

TEST(SummariseOperations, CountsByKindAndTogether) {
  const ordered_json disks = Summary()["operations"]["disks"];
  const ordered_json& read = disks["read"];
  EXPECT_EQ(read["offered"], 4);
  EXPECT_EQ(read["finished"], 3);
  EXPECT_EQ(read["failed"], 0);
  EXPECT_EQ(read["corrupt"], 1);
  EXPECT_EQ(read["unfinished"], 1);
  EXPECT_EQ(read["retries"], 1);
  EXPECT_EQ(read["ramp_offered"], 1);
  EXPECT_EQ(read["bytes"], 4 * 4096);
  // Three reads succeeded between the first start, at 1 µs, and the end at 100 µs, one of them in the ramp.
  EXPECT_DOUBLE_EQ(read["iops"], 3e6 / 99);
  EXPECT_DOUBLE_EQ(read["gbps"], 3 * 4096 * 8 / 99e3);
  // These are two of those that count, from 10 µs to 60 µs.
  EXPECT_DOUBLE_EQ(read["goodput_gbps"], 8192 * 8 / 50e3);
  EXPECT_EQ(disks["write"]["offered"], 1);
  EXPECT_EQ(disks["all"]["offered"], 5);
  EXPECT_EQ(disks["all"]["ramp_offered"], 1);
  EXPECT_DOUBLE_EQ(disks["all"]["iops"], 4e6 / 99);
}

TEST(SummariseOperations, LatenciesCountTheUnfinished) {
  const ordered_json disks = Summary()["operations"]["disks"];
  // Reads took 10, 20, 30 and so far 40 µs; the write took 8.
  const ordered_json& read = disks["read"]["latency_us"];
  EXPECT_EQ(read["p50"], 20);
  EXPECT_EQ(read["p90"], 40);
  EXPECT_EQ(read["mean"], 25);
  EXPECT_EQ(read["censored"].dump(),
            R"({"mean":true,"p90":true,"p95":true,"p99":true,"p999":true,"max":true})");
  EXPECT_EQ(disks["write"]["latency_us"]["max"], 8);
  EXPECT_EQ(disks["write"]["latency_us"]["censored"].dump(), "{}");
  EXPECT_EQ(disks["all"]["latency_us"]["p50"], 20);
}

TEST(SummariseOperations, PartsAreMeansOfThoseThatFinishedAndSumToTheirMean) {
  const ordered_json disks = Summary()["operations"]["disks"];
  const ordered_json& parts = disks["all"]["parts_us"];
  EXPECT_EQ(parts["core"], 1);
  EXPECT_EQ(parts["device"], 2);
  EXPECT_DOUBLE_EQ(parts["network"], (7 + 17 + 27 + 5) / 4.0);
  EXPECT_EQ(parts["connection"], 0);
  double sum = 0;
  for (const auto& [part, us] : parts.items()) sum += us.get<double>();
  EXPECT_DOUBLE_EQ(sum, (10 + 20 + 30 + 8) / 4.0);
}

TEST(SummariseOperations, WhereNothingIsFollowedThereAreNoParts) {
  Scenario s = SmallStorageScenario();
  s.observe.operations.one_in = 0;
  const ordered_json read = Summarise(s, SmallStorageRecord(), {})["operations"]["disks"]["read"];
  EXPECT_FALSE(read.contains("parts_us"));
  EXPECT_EQ(read["latency_us"]["p50"], 20);
}

TEST(SummariseOperations, AKindThatWasNotOfferedIsNullNotZero) {
  RunRecord r = SmallStorageRecord();
  r.operation_totals[0][1] = {};
  const ordered_json write = Summarise(SmallStorageScenario(), r, {})["operations"]["disks"]["write"];
  EXPECT_EQ(write["offered"], 0);
  EXPECT_TRUE(write["iops"].is_null());
  EXPECT_TRUE(write["gbps"].is_null());
  EXPECT_TRUE(write["latency_us"]["mean"].is_null());
  EXPECT_TRUE(write["parts_us"]["network"].is_null());
}

TEST(SummariseOperations, ServicesAndCores) {
  const ordered_json s = Summary();
  EXPECT_EQ(
      s["services"].dump(),
      R"({"store":{"connections":1,"losses":2,"corrupt":1,"starved":7,"credit_messages":0,)"
      R"("chunks":{"small":0,"medium":3,"large":0},"sends":10,"writes":0,"reads":0,"registrations":0,)"
      R"("executed":5,"repeated":0,"tcp":{"connections":4,"losses":1,"bytes":80000,"segments":60,"retransmitted":3},)"
      R"("peak_registered_bytes":65536}})");
  // Cores worked 25, 5 and 50 of the 100 µs, with these uses.
  EXPECT_EQ(s["cores"].dump(),
            R"({"a":{"utilisation":{"0":0.25,"1":0.05},"rdma":{"0":0.25,"1":0.01},"tcp":{"0":0.0,"1":0.04},)"
            R"("operation":{"0":0.0,"1":0.0}},)"
            R"("b":{"utilisation":{"0":0.5},"rdma":{"0":0.1},"tcp":{"0":0.25},"operation":{"0":0.15}}})");
}

TEST(SummariseOperations, CoresOfPostingLoopsAreNamedAfterTheirWorkload) {
  RunRecord record = SmallRecord();
  record.cores = {{{{Microseconds(5)}, Microseconds(20)}, 1, 2, 0}, {{{}, Time(0)}, 0, 0, 0}};
  const std::string name = SmallScenario().workloads[0].name;
  EXPECT_EQ(Summarise(SmallScenario(), record, {})["cores"].dump(),
            R"({"b":{"posting":{")" + name + R"(/2":0.25}},"a":{"posting":{")" + name + R"(/0":null}}})");
}

TEST(SummariseOperations, AreNoMessagesAndOtherScenariosHaveNone) {
  EXPECT_EQ(Summary()["messages"].dump(), "{}");
  const ordered_json without = Summarise(SmallScenario(), SmallRecord(), {});
  for (const char* section : {"operations", "services", "cores"}) EXPECT_FALSE(without.contains(section));
}

TEST(SummariseOperations, OverSeedsTheyHaveIntervals) {
  ordered_json a = Summary(), b = Summary();
  b["seed"] = 8;
  a["operations"]["disks"]["all"]["iops"] = 60'000;
  b["operations"]["disks"]["all"]["iops"] = 70'000;
  b["services"]["store"]["peak_registered_bytes"] = 100'000;
  const ordered_json both = Aggregate({a, b});
  EXPECT_EQ(both["operations"]["disks"]["all"]["iops"], 65'000);
  EXPECT_EQ(both["seeds"]["metrics"]["operations"]["disks"]["all"]["iops"]["n"], 2);
  EXPECT_EQ(both["services"]["store"]["peak_registered_bytes"], 100'000) << "a peak: the largest";
  EXPECT_FALSE(both["seeds"]["metrics"]["operations"]["disks"]["read"]["latency_us"].contains("censored"));
}

TEST(SummariseOperations, ExpectationsFindThemWithTheirUnits) {
  const RunOutcome run{{}, Summary(), "."};
  EXPECT_EQ(ValueOf(run, "operations.disks.read.latency_us.p50").value, 20);
  EXPECT_FALSE(ValueOf(run, "operations.disks.read.latency_us.p50").censored);
  EXPECT_TRUE(ValueOf(run, "operations.disks.read.latency_us.p99").censored);
  EXPECT_EQ(ValueOf(run, "services.store.corrupt").value, 1);
  EXPECT_EQ(ValueOf(run, "cores.b.utilisation.0").value, 0.5);
  EXPECT_EQ(ValueOf(run, "operations.disk.all.iops").problem,
            "operations.disk.all.iops: the summary does not have this metric; did you mean "
            "\"operations.disks.all.iops\"?");
  EXPECT_EQ(UnitOf("operations.disks.all.gbps"), "Gbps");
  EXPECT_EQ(UnitOf("operations.disks.all.latency_us.p99"), "us");
  EXPECT_EQ(UnitOf("operations.disks.all.parts_us.core_queue"), "us");
  EXPECT_EQ(UnitOf("cores.b.utilisation.0"), "1");
  for (const char* work : {"rdma", "tcp", "operation"})
    EXPECT_EQ(UnitOf(std::string("cores.b.") + work + ".0"), "1");
  EXPECT_EQ(UnitOf("services.store.peak_registered_bytes"), "B");
}

}  // namespace
}  // namespace headroom::summary_operations_test

#include "report/text/human_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <sstream>
#include <utility>

#include "report/aggregate.h"
#include "report/small_storage_run.h"
#include "report/summary/summary.h"
#include "report/text/text_table.h"

namespace headroom::human_table_test {
namespace {

std::string TableOf(const RunRecord& record) {
  const Scenario s = SmallScenario();
  return HumanTable(s, Summarise(s, record, {0.5, 0.25, 12}));
}

void ExpectReadable(const std::string& table) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(DisplayWidth(line), 100u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

bool Has(const std::string& table, const std::string& text) { return table.find(text) != std::string::npos; }

/// CPU seconds for the table of this many workloads, each with a message.
double SecondsFor(uint32_t workloads) {
  Scenario s = SmallScenario();
  RunRecord r = SmallRecord();
  const WorkloadParameters one = s.workloads[0];
  const MessageRecord message = r.messages.back();
  s.workloads.clear();
  r.messages.clear();
  for (uint32_t w = 0; w < workloads; ++w) {
    s.workloads.push_back(one);
    s.workloads.back().name = "w" + std::to_string(w);
    r.messages.push_back(message);
    r.messages.back().workload = w;
  }
  const auto summary = Summarise(s, r, {0.5, 0.25, 12});
  const std::clock_t before = std::clock();
  EXPECT_TRUE(HumanTable(s, summary).find("w" + std::to_string(workloads - 1)) != std::string::npos);
  return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

TEST(HumanTable, TakesTimeInProportionToTheWorkloads) {
  // Eight times as many: eight times as long, and with a search in a list, 64 times.
  const double few = std::min({SecondsFor(500), SecondsFor(500), SecondsFor(500)});
  EXPECT_LT(std::min(SecondsFor(4000), SecondsFor(4000)), 20 * few);
}

TEST(HumanTable, TellsWhatHappened) {
  const std::string table = TableOf(SmallRecord());
  ExpectReadable(table);
  EXPECT_TRUE(Has(table, "small, seed 7: stopped at the deadline, 100.000 µs, with work left\n")) << table;
  EXPECT_TRUE(Has(table, "≥80")) << table;
  EXPECT_TRUE(Has(table, "t0                 1             2              1           3\n")) << table;
  EXPECT_TRUE(Has(table, "drops  0 lossless, 1 lossy\n")) << table;
  EXPECT_TRUE(
      Has(table, "egress_limit   1\n       `--set observe.drops={}` records each of them in drops.csv\n"))
      << table;
  EXPECT_FALSE(Has(table, "headroom_full")) << table;
  EXPECT_TRUE(Has(table, "1,000 B sent") ||
              Has(table, "1.00 kB sent = 800 B delivered + 150 B dropped + 50 B in flight: conserved"))
      << table;
}

TEST(HumanTable, SaysWherePausedTimeComesFrom) {
  // There are two queues of t0's port towards b.
  RunRecord r = SmallRecord();
  r.pause_causes = SmallCauses();
  EXPECT_TRUE(Has(TableOf(r), "\n75 % of paused time comes from t0:p1 (pair)\n")) << TableOf(r);
  r.pause_causes = {{1, {PauseRoot::Kind::storm, 0, 0, 3, 1}, 0.6},
                    {1, {PauseRoot::Kind::queue, 2, 1, 3, 1}, 0.4}};
  EXPECT_TRUE(Has(TableOf(r), "\n60 % of paused time comes from the pause storm at a:p0 (pair)\n"))
      << TableOf(r);
  // A place has the sum of its queues and workloads.
  r.pause_causes = {{1, {PauseRoot::Kind::cycle, 2, 1, 3, 0}, 0.4},
                    {1, {PauseRoot::Kind::queue, 2, 0, 3, 1}, 0.35},
                    {1, {PauseRoot::Kind::queue, 2, 0, 4, 0}, 0.25}};
  EXPECT_TRUE(Has(TableOf(r), "60 % of paused time comes from t0:Ethernet4 (pair)\n")) << TableOf(r);
  ExpectReadable(TableOf(r));
}

TEST(HumanTable, TellsOfDeliveriesBelowCompletions) {
  const std::string table = TableOf(SmallRecord());
  EXPECT_TRUE(Has(table,
                  "completion time, µs    mean  p50  p90  p95  p99  p99.9  max\n"
                  "pair                 ≥28.67    4  ≥80  ≥80  ≥80    ≥80  ≥80\n\n"
                  "delivery time, µs    mean   p50  p90  p95  p99  p99.9  max\n"
                  "pair               ≥28.60  3.90  ≥80  ≥80  ≥80    ≥80  ≥80\n"))
      << table;
}

TEST(HumanTable, NothingOfTheWarmUpIsCalledNone) {
  Scenario s = SmallScenario();
  s.warmup = Microseconds(30);
  RunRecord r = SmallRecord();
  for (PortRecord& p : r.ports) p.priority = {};
  const auto table = [&] { return HumanTable(s, Summarise(s, r, {0.5, 0.25, 12})); };
  EXPECT_TRUE(Has(table(), "drops  none\n"));
  EXPECT_TRUE(Has(table(), "PFC never fired; "));
  r.warmup.drops[0][static_cast<size_t>(DropReason::egress_limit)] = 5;
  r.warmup.pause_frames = 7;
  r.warmup.timeouts = 2;
  EXPECT_TRUE(Has(table(), "drops  none after the warm-up\n")) << table();
  EXPECT_TRUE(Has(table(), "in the warm-up  5 lossy packets dropped, 2 timeouts\n")) << table();
  EXPECT_TRUE(Has(table(), "PFC never fired after the warm-up; ")) << table();
  EXPECT_TRUE(Has(table(), "PFC in the warm-up: 7 pause frames\n")) << table();
  ExpectReadable(table());
}

TEST(HumanTable, SaysWhichShareIsCounted) {
  Scenario s = SmallScenario();
  s.warmup = Microseconds(15);
  const std::string table = HumanTable(s, Summarise(s, SmallRecord(), {0.5, 0.25, 12}));
  EXPECT_TRUE(Has(table, "counted  33.3 % of pair: 1 of 3 messages; others began in the warm-up\n")) << table;
  EXPECT_TRUE(Has(table, "The warm-up is shorter than the median message of pair, 80 µs.\n")) << table;
  ExpectReadable(table);
  EXPECT_FALSE(Has(TableOf(SmallRecord()), "counted  "));
}

TEST(HumanTable, SaysWhatWasLostAndWhichQueuePairsFailed) {
  RunRecord r = SmallRecord();
  r.messages[1].delivered = kNever;
  r.events_log.push_back({Microseconds(12), "qp_error", 0, EventRecord::kNone, EventRecord::kNone,
                          "queue pair 3: retries exhausted"});
  // 50 B are in flight: the message may be among these.
  EXPECT_TRUE(
      Has(TableOf(r), "lost  at most 1 of 3 messages of pair: complete at the sender, not delivered\n"))
      << TableOf(r);
  EXPECT_TRUE(Has(TableOf(r), "failed 1 queue pairs: a/3 at 12 µs\n")) << TableOf(r);
  r.conservation.delivered += r.conservation.in_flight;
  r.conservation.in_flight = 0;
  EXPECT_TRUE(Has(TableOf(r), "lost  1 of 3 messages of pair\n")) << TableOf(r);
  ExpectReadable(TableOf(r));
}

TEST(HumanTable, SaysHowNearPfcCameWhereItNeverFired) {
  RunRecord r = SmallRecord();
  for (PortRecord& p : r.ports) p.priority = {};
  r.switches[0].closest_to_xoff = 0.4321;
  EXPECT_TRUE(
      Has(TableOf(r), "PFC never fired; the closest was t0, at 43.2 % of a group's pause threshold\n"));
  r.switches[0].closest_to_xoff = 0;
  EXPECT_TRUE(Has(TableOf(r), "PFC never fired; no lossless group held a byte\n"));
}

TEST(HumanTable, SaysWhereNothingLiesAfterTheWarmup) {
  Scenario s = SmallScenario();
  s.warmup = Microseconds(200);
  const std::string line =
      "The warm-up, 200.000 µs, was not over: no message and no counter below is after it.\n";
  const auto early = Summarise(s, SmallRecord(), {0.5, 0.25, 12});
  ExpectReadable(HumanTable(s, early));
  EXPECT_TRUE(Has(HumanTable(s, early), line)) << HumanTable(s, early);
  EXPECT_TRUE(Has(HumanTable(s, Aggregate({early, early})), line));
  s.warmup = Microseconds(15);
  const std::string late = HumanTable(s, Summarise(s, SmallRecord(), {0.5, 0.25, 12}));
  EXPECT_FALSE(Has(late, "was not over"));
  EXPECT_TRUE(Has(late, "counted from 15.000 µs on, the end of the warm-up")) << late;
}

TEST(HumanTable, ShowsTheLossOfConservation) {
  RunRecord r = SmallRecord();
  r.conservation.delivered += 1;
  EXPECT_TRUE(Has(TableOf(r), "NOT CONSERVED"));
}

TEST(HumanTable, OfSeveralSeedsFitsWithItsIntervals) {
  Scenario s = SmallScenario();
  s.workloads[0].name = "a-workload-whose-name-is-far-too-long-for-a-table";
  std::vector<nlohmann::ordered_json> runs;
  for (int seed = 1; seed <= 3; ++seed) {
    s.seed = static_cast<uint64_t>(seed);
    RunRecord r = SmallRecord();
    for (MessageRecord& m : r.messages) {
      m.completed = m.start + Microseconds(123456 * (1 + seed));
      m.number += 1;
    }
    runs.push_back(Summarise(s, r, {}));
  }
  const std::string table = HumanTable(s, Aggregate(runs));
  ExpectReadable(table);
  EXPECT_TRUE(Has(table, "small, 3 seeds")) << table;
  // Values 2, 3 and 4 × 123456: s/√3 = 71277.35, times t(0.975; 2) = 4.30265.
  EXPECT_TRUE(Has(table, "370,368 ±306,682")) << table;
}

TEST(HumanTable, TellsOfOperationsAndWhereTheirTimeWent) {
  const Scenario s = SmallStorageScenario();
  const std::string table = HumanTable(s, Summarise(s, SmallStorageRecord(), {0.5, 0.25, 12}));
  ExpectReadable(table);
  EXPECT_FALSE(Has(table, "completion time")) << table;
  EXPECT_FALSE(Has(table, "no workloads")) << table;
  EXPECT_TRUE(Has(table,
                  "latency, µs    mean  p50  p90  p95  p99  p99.9  max\n"
                  "disks read      ≥25   20  ≥40  ≥40  ≥40    ≥40  ≥40\n"
                  "disks write       8    8    8    8    8      8    8\n"
                  "disks all    ≥21.60   20  ≥40  ≥40  ≥40    ≥40  ≥40\n"))
      << table;
  EXPECT_TRUE(Has(table,
                  "operations     IOPS    Gbps  offered  unfinished  failed  corrupt  retries\n"
                  "disks read   30,303  0.9930        4           1       0        1        1\n"))
      << table;
  EXPECT_TRUE(Has(table,
                  "mean in, µs  core  device  network\n"
                  "disks           1       2       14\n"))
      << table;
  EXPECT_TRUE(Has(table,
                  "services  connections  lost  wrong CRCs  waits for credit  at disks  most registered\n"
                  "store               1     2           1                 7         5          65.5 kB\n"
                  "over TCP  connections  lost     sent  segments  sent again\n"
                  "store               4     1  80.0 kB        60           3\n"
                  "cores  the busiest for services is 0 of b, 50.0 % of the time\n"
                  "       rdma 10.0 %, tcp 25.0 %, operation 15.0 %\n"))
      << table;
}

TEST(HumanTable, NamesTheBusiestPostingLoop) {
  const Scenario s = SmallScenario();
  RunRecord r = SmallRecord();
  EXPECT_FALSE(Has(HumanTable(s, Summarise(s, r, {})), "posting loop"));
  r.cores = {{{{Microseconds(5)}, Microseconds(20)}, 0, 0, 0},
             {{{Microseconds(9)}, Microseconds(20)}, 1, 2, 0}};
  const std::string table = HumanTable(s, Summarise(s, r, {}));
  EXPECT_TRUE(Has(
      table, "cores  the busiest posting loop is " + s.workloads[0].name + "/2 of b, 45.0 % of the time\n"))
      << table;
}

TEST(HumanTable, CountsOperationsOnKeysInMillionsASecondAndThoseOfDisksOneByOne) {
  const Scenario s = SmallStorageScenario();
  auto summary = Summarise(s, SmallStorageRecord(), {0.5, 0.25, 12});
  auto items = summary["operations"]["disks"];
  for (auto& [kind, of] : items.items()) of["mops"] = 26.0;
  summary["operations"]["items"] = items;
  EXPECT_TRUE(Has(HumanTable(s, summary), "operations     IOPS  Mops    Gbps  offered"))
      << HumanTable(s, summary);
  EXPECT_TRUE(Has(HumanTable(s, summary), "items read   30,303    26  0.9930        4"))
      << HumanTable(s, summary);
  EXPECT_TRUE(Has(HumanTable(s, summary), "disks read   30,303     -  0.9930        4"))
      << HumanTable(s, summary);
  summary["operations"].erase("disks");
  EXPECT_TRUE(Has(HumanTable(s, summary), "operations   Mops    Gbps  offered")) << HumanTable(s, summary);
}

TEST(HumanTable, OfOperationsOverSeedsFitsAndOfOneKindHasOneLine) {
  Scenario s = SmallStorageScenario();
  s.workloads[0].name = "a-workload-whose-name-is-far-too-long-for-a-table";
  RunRecord r = SmallStorageRecord();
  r.operation_totals[0][1] = {};
  std::vector<nlohmann::ordered_json> runs;
  for (int seed = 1; seed <= 3; ++seed) {
    s.seed = static_cast<uint64_t>(seed);
    Latencies& latencies = r.operation_totals[0][0].latencies;
    const Latencies before = std::exchange(latencies, {});
    for (const Time latency : before.each()) latencies.Add(latency + Microseconds(123'456 * seed));
    for (double& us : r.operation_totals[0][0].parts_us) us += 123'456 * seed;
    runs.push_back(Summarise(s, r, {}));
  }
  const std::string table = HumanTable(s, Aggregate(runs));
  ExpectReadable(table);
  EXPECT_TRUE(Has(table, "a-workloa…-a-table read")) << table;
  EXPECT_FALSE(Has(table, "-a-table all")) << table;
  EXPECT_FALSE(Has(table, "-a-table write")) << table;
}

TEST(FormatGrouped, Thousands) {
  EXPECT_EQ(FormatGrouped(1234567.891, 1), "1,234,567.9");
  EXPECT_EQ(FormatGrouped(-1234, 0), "-1,234");
  EXPECT_EQ(FormatGrouped(999, 2), "999.00");
  EXPECT_EQ(FormatReadable(12), "12");
  EXPECT_EQ(FormatReadable(0.5), "0.5000");
}

TEST(FormatBytes, Units) {
  EXPECT_EQ(FormatBytes(999), "999 B");
  EXPECT_EQ(FormatBytes(1234567), "1.23 MB");
  EXPECT_EQ(FormatBytes(96928), "96.9 kB");
}

TEST(Shorten, LosesTheMiddle) {
  EXPECT_EQ(Shorten("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(Shorten("abc", 5), "abc");
}

}  // namespace
}  // namespace headroom::human_table_test

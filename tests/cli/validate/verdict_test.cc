#include "cli/validate/verdict.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "report/csv/result_file.h"

namespace headroom::verdict_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

const std::string kFanIn = "workloads.burst.fan_in";

RunOutcome RunAt(const std::string& fan_in, double p99, double marked = 0.1) {
  RunOutcome run;
  run.at = {{kFanIn, fan_in}};
  run.summary["status"] = "complete";
  run.summary["messages"]["burst"]["goodput_gbps"] = nullptr;
  run.summary["messages"]["burst"]["completion_us"] = {{"p99", p99}, {"censored", ordered_json::object()}};
  run.summary["ecn"]["marked_fraction"] = marked;
  return run;
}

/// Fan-in 2, 4 and 8 with two seeds each: the p99 are 100, 190 to 210, 300.
std::vector<RunOutcome> ThreePoints() {
  return {RunAt("2", 100, 0.1), RunAt("2", 100, 0.1), RunAt("4", 190, 0.2),
          RunAt("4", 210, 0.3), RunAt("8", 300, 0.5), RunAt("8", 300, 0.5)};
}

Expectation Expect(decltype(Expectation::what) what, std::optional<double> min, std::optional<double> max,
                   std::string unit = "") {
  Expectation e;
  e.what = std::move(what);
  e.min = min;
  e.max = max;
  e.unit = std::move(unit);
  e.source = "a paper";
  e.file = "burst.yaml";
  e.line = 12;
  return e;
}

std::vector<JudgedExpectation> JudgeOne(const Expectation& e,
                                        const std::vector<RunOutcome>& runs = ThreePoints()) {
  Experiment experiment;
  experiment.vary = {{kFanIn, {"2", "4", "8"}}};
  experiment.expect = {e};
  return Judge(experiment, runs);
}

const char* const kP99 = "messages.burst.completion_us.p99";

TEST(Judge, MeanOverSeedsWithInterval) {
  const auto v = JudgeOne(Expect(MetricExpectation{{kP99}, {{kFanIn, "4"}}}, {}, 250));
  ASSERT_EQ(v.size(), 1u);
  EXPECT_TRUE(v[0].passed);
  EXPECT_EQ(v[0].metric, "messages.burst.completion_us.p99, fan_in=4");
  EXPECT_EQ(v[0].allowed, "≤ 250 us");
  // Values of 190 and 210: s/√2 = 10, t(0.975; 1) = 12.7062.
  EXPECT_EQ(v[0].simulated, "200 ±1.3e+02 us");
}

TEST(Judge, WithoutAPointEveryPointIsJudged) {
  const auto v = JudgeOne(Expect(MetricExpectation{{kP99}, {}}, 0, 250));
  ASSERT_EQ(v.size(), 3u);
  EXPECT_TRUE(v[0].passed);
  EXPECT_TRUE(v[1].passed);
  EXPECT_FALSE(v[2].passed);
  EXPECT_EQ(v[2].allowed, "0 … 250 us");
}

TEST(Judge, BoundsAreInclusive) {
  EXPECT_TRUE(JudgeOne(Expect(MetricExpectation{{kP99}, {{kFanIn, "8"}}}, 300, 300))[0].passed);
}

TEST(Judge, UnitsAreConverted) {
  EXPECT_TRUE(JudgeOne(Expect(MetricExpectation{{kP99}, {{kFanIn, "8"}}}, 0.29, 0.31, "ms"))[0].passed);
  const auto v = JudgeOne(Expect(MetricExpectation{{kP99}, {{kFanIn, "8"}}}, 0, 1, "Gbps"));
  EXPECT_FALSE(v[0].passed);
  EXPECT_EQ(v[0].problem,
            "messages.burst.completion_us.p99: its value cannot be converted to \"Gbps\", "
            "its unit is us");
}

TEST(Judge, RatioOfTwoPoints) {
  const char* const marked = "ecn.marked_fraction";
  const RatioExpectation ratio{{marked, {{kFanIn, "8"}}}, {marked, {{kFanIn, "4"}}}};
  const auto v = JudgeOne(Expect(ratio, 2.0, 3.0));
  EXPECT_TRUE(v[0].passed) << v[0].simulated;  // 0.5 over 0.25
  EXPECT_EQ(v[0].simulated, "2");
  EXPECT_EQ(v[0].metric, "ecn.marked_fraction: fan_in=8 over fan_in=4");
  EXPECT_FALSE(JudgeOne(Expect(ratio, 2.1, 3.0))[0].passed);
}

TEST(Judge, RatioAtEveryValueThatItsTermsLeaveOpen) {
  const auto v = JudgeOne(Expect(RatioExpectation{{kP99, {}}, {"ecn.marked_fraction", {}}}, 0, 700));
  ASSERT_EQ(v.size(), 3u);
  EXPECT_FALSE(v[0].passed);  // 100 / 0.1
  EXPECT_FALSE(v[1].passed);  // 200 / 0.25
  EXPECT_TRUE(v[2].passed);   // 300 / 0.5
}

TEST(Judge, OrderIsStrictlyIncreasing) {
  const auto terms = [](std::vector<std::string> values) {
    OrderExpectation order;
    for (const std::string& value : values) order.terms.push_back({kP99, {{kFanIn, value}}});
    return order;
  };
  const auto rising = JudgeOne(Expect(terms({"2", "4", "8"}), {}, {}));
  EXPECT_TRUE(rising[0].passed);
  EXPECT_EQ(rising[0].simulated, "100 < 200 < 300");
  EXPECT_EQ(rising[0].metric, "messages.burst.completion_us.p99: fan_in=2 < fan_in=4 < fan_in=8");
  const auto falling = JudgeOne(Expect(terms({"2", "8", "4"}), {}, {}));
  EXPECT_FALSE(falling[0].passed);
  EXPECT_EQ(falling[0].simulated, "100 < 300 ≮ 200");
  EXPECT_FALSE(JudgeOne(Expect(terms({"2", "2"}), {}, {}))[0].passed);
}

TEST(Judge, WhatIsMissingFailsAndSaysSo) {
  auto v = JudgeOne(Expect(MetricExpectation{{"messages.burst.completion_us.p98"}, {{kFanIn, "2"}}}, 0, 1e9));
  EXPECT_FALSE(v[0].passed);
  EXPECT_EQ(v[0].simulated, "-");
  EXPECT_EQ(v[0].problem,
            "messages.burst.completion_us.p98: the summary does not have this metric; did you mean "
            "\"messages.burst.completion_us.p99\"?");
  v = JudgeOne(Expect(MetricExpectation{{"messages.burst.goodput_gbps"}, {{kFanIn, "2"}}}, 0, 1e9));
  EXPECT_FALSE(v[0].passed);
  EXPECT_EQ(v[0].problem,
            "messages.burst.goodput_gbps: the value is null, because there was nothing to "
            "measure");
  v = JudgeOne(Expect(MetricExpectation{{kP99}, {{kFanIn, "8"}}}, 0, 1e9), {RunAt("2", 1)});
  EXPECT_EQ(v[0].problem, "messages.burst.completion_us.p99: no run has the point fan_in=8");
}

TEST(Judge, ALowerBoundProvesAMinimumButNoMaximum) {
  RunOutcome run = RunAt("2", 100);
  run.summary["messages"]["burst"]["completion_us"]["censored"]["p99"] = true;
  const MetricExpectation at{{kP99}, {{kFanIn, "2"}}};
  EXPECT_TRUE(JudgeOne(Expect(at, 50, {}), {run})[0].passed);
  const auto v = JudgeOne(Expect(at, {}, 200), {run});
  EXPECT_FALSE(v[0].passed);
  EXPECT_EQ(v[0].simulated, "≥100 us");
  EXPECT_NE(v[0].problem.find("depends on unfinished messages"), std::string::npos);
}

TEST(Judge, AKnownMissPassesAsLongAsItMisses) {
  Expectation e = Expect(MetricExpectation{{kP99}, {}}, {}, 250);
  e.misses = "queues are drawn too long";
  const auto v = JudgeOne(e);
  ASSERT_EQ(v.size(), 3u);
  // 100 and 200 are within the bound: this is no longer a known miss.
  EXPECT_FALSE(v[0].passed);
  EXPECT_FALSE(v[1].passed);
  EXPECT_EQ(v[1].problem,
            "messages.burst.completion_us.p99, fan_in=4: holds, but is marked as a miss; remove \"misses\"");
  EXPECT_TRUE(v[2].passed);
  EXPECT_TRUE(v[2].KnownMiss());
  EXPECT_EQ(v[2].problem, "");
}

TEST(Judge, WhatCannotBeJudgedIsNoKnownMiss) {
  Expectation e = Expect(MetricExpectation{{"nothing"}, {{kFanIn, "8"}}}, {}, 250);
  e.misses = "queues are drawn too long";
  const auto v = JudgeOne(e);
  EXPECT_FALSE(v[0].passed);
  EXPECT_EQ(v[0].problem, "nothing: the summary does not have this metric");
}

TEST(VerdictTable, NamesSourcesOnceAndProblemsByLine) {
  auto verdicts = JudgeOne(Expect(MetricExpectation{{kP99, "nothing"}, {{kFanIn, "8"}}}, {}, 400));
  Expectation known = Expect(MetricExpectation{{kP99}, {{kFanIn, "8"}}}, {}, 250);
  known.kind = FigureKind::published;
  known.value = "240 us";
  known.misses = "queues are drawn too long";
  verdicts.push_back(JudgeOne(known)[0]);
  const std::string table = VerdictTable(verdicts);
  EXPECT_EQ(table,
            "verdict  kind       metric                                      expected   allowed  "
            "simulated  source\nok       ours       messages.burst.completion_us.p99, fan_in=8         "
            "-  ≤ 400 us  300 ±0 us     [1]\nFAIL     ours       nothing, "
            "fan_in=8                                  -     ≤ 400          -     [1]\nmiss     "
            "published  messages.burst.completion_us.p99, fan_in=8    240 us  ≤ 250 us  300 ±0 us     "
            "[1]\n[1] a paper\nmessages.burst.completion_us.p99, fan_in=8 misses: queues are drawn too "
            "long\nburst.yaml:12: nothing: the summary does not have this metric\n");
}

/// Two scenarios: of `ours` two figures hold and one fails; of `published` one holds and one is a known miss.
std::vector<JudgedScenario> TwoScenarios() {
  std::vector<JudgedScenario> judged = {{"one", {}}, {"two", {}}};
  judged[0].verdicts = JudgeOne(Expect(MetricExpectation{{kP99}, {}}, 0, 250));
  Expectation e = Expect(MetricExpectation{{kP99}, {{kFanIn, "8"}}}, {}, 250);
  e.kind = FigureKind::published;
  e.value = "240 us | 1";
  e.misses = "queues are drawn too long";
  judged[1].verdicts = JudgeOne(e);
  e.misses = "";
  e.max = 350;
  e.range = "± 45 %";
  judged[1].verdicts.push_back(JudgeOne(e)[0]);
  return judged;
}

TEST(VerdictCounts, ByKind) {
  EXPECT_EQ(VerdictCounts(TwoScenarios()),
            "kind        figures  hold  known misses  fail\n"
            "published         2     1             1     0\n"
            "computed          0     0             0     0\n"
            "calibrated        0     0             0     0\n"
            "ours              3     2             0     1\n"
            "3 of 5 expectations hold, 1 is known to miss\n");
}

TEST(VerdictPage, HasARowForEachFigureWithItsRangeAndTheCausesBelow) {
  const std::string page = VerdictPage(TwoScenarios());
  EXPECT_NE(page.find("| published | the source prints it, or its public simulator does | 2 | 1 | 1 | 0 |\n"),
            std::string::npos);
  EXPECT_EQ(
      page.substr(page.find("\n## two")),
      "\n## two\n\n"
      "| kind | metric | expected | simulated | allowed |\n"
      "| --- | --- | --- | --- | --- |\n"
      "| published (1) | messages.burst.completion_us.p99, fan_in=8 | 240 us \\| 1 | 300 ±0 us, miss (a) | "
      "≤ 250 |\n"
      "| published (1) | messages.burst.completion_us.p99, fan_in=8 | 240 us \\| 1 | 300 ±0 us | "
      "≤ 350 (2) |\n\n"
      "1. a paper\n"
      "2. ± 45 %\n\n"
      "(a) queues are drawn too long\n");
}

TEST(VerdictPage, HasLettersForAnyNumberOfCauses) {
  std::vector<JudgedScenario> judged = {{"many", {}}};
  for (int i = 1; i <= 28; ++i) {
    Expectation e = Expect(MetricExpectation{{kP99}, {{kFanIn, "8"}}}, {}, 250);
    e.misses = "cause " + std::to_string(i);
    judged[0].verdicts.push_back(JudgeOne(e)[0]);
  }
  const std::string page = VerdictPage(judged);
  for (const char* row : {", miss (a) |", ", miss (z) |", ", miss (aa) |", ", miss (ab) |"})
    EXPECT_NE(page.find(row), std::string::npos) << row;
  EXPECT_TRUE(page.ends_with("(z) cause 26\n\n(aa) cause 27\n\n(ab) cause 28\n")) << page;
}

class SeriesTest : public ::testing::Test {
 protected:
  SeriesTest() : dir_(fs::temp_directory_path() / ("headroom-series-" + std::to_string(getpid()))) {
    fs::create_directories(dir_);
    std::ofstream(dir_ / "rates.csv") << "time_ns,host,qp,rate_bps\n"
                                         "0.000,a,0,40000000000\n"
                                         "50000.000,a,0,20000000000\n"
                                         "50000.000,a,1,1\n"
                                         "105000.500,a,0,30000000000\n";
    std::ofstream(dir_ / "queues.csv") << "time_ns,node,port,queue,bytes\n"
                                          "10000.000,t0,p1,3,100\n"
                                          "20000.000,t0,p1,3,500\n"
                                          "30000.000,t0,p1,3,300\n";
    const std::map<std::string, std::string> port = {{"node", "t0"},
                                                     {"port", "p1"},
                                                     {"priority", "3"},
                                                     {"tx_bytes", "1000"},
                                                     {"peak_queue_bytes", "1360000"}};
    std::string header, row;
    for (const Column& column : ResultFiles().at("ports")->Columns()) {
      const auto value = port.find(column.name);
      header += (header.empty() ? "" : ",") + column.name;
      row += (row.empty() ? "" : ",") + (value == port.end() ? "0" : value->second);
    }
    std::ofstream(dir_ / "ports.csv") << header << '\n' << row << '\n';
    run_.dir = dir_;
    run_.summary["status"] = "complete";
  }
  ~SeriesTest() override { fs::remove_all(dir_); }

  const fs::path dir_;
  RunOutcome run_;
};

TEST_F(SeriesTest, TheRateInForceIsThatOfTheLastSample) {
  EXPECT_EQ(*ValueOf(run_, "rates.a.0.at(0us)").value, 40e9);
  EXPECT_EQ(*ValueOf(run_, "rates.a.0.at(49.999us)").value, 40e9);
  EXPECT_EQ(*ValueOf(run_, "rates.a.0.at(50us)").value, 20e9);
  EXPECT_EQ(*ValueOf(run_, "rates.a.0.at(105000.4ns)").value, 20e9);
  EXPECT_EQ(*ValueOf(run_, "rates.a.0.at(1ms)").value, 30e9);
  EXPECT_EQ(*ValueOf(run_, "rates.a.0.max").value, 40e9);
}

TEST_F(SeriesTest, RatesAreJudgedInTheirUnit) {
  Experiment experiment;
  experiment.expect = {Expect(MetricExpectation{{"rates.a.0.at(155us)"}, {}}, 29.9, 30.1, "Gbps")};
  const auto v = Judge(experiment, {run_});
  ASSERT_EQ(v.size(), 1u);
  EXPECT_TRUE(v[0].passed) << v[0].problem;
  EXPECT_EQ(v[0].simulated, "30 Gbps");
}

TEST_F(SeriesTest, QueuesAndPorts) {
  EXPECT_EQ(*ValueOf(run_, "queues.t0.p1.3.max").value, 500);
  EXPECT_EQ(*ValueOf(run_, "queues.t0.p1.3.mean").value, 300);
  EXPECT_EQ(*ValueOf(run_, "queues.t0.p1.3.p99").value, 500);
  EXPECT_EQ(*ValueOf(run_, "queues.t0.p1.3.at(25us)").value, 500);
  EXPECT_EQ(*ValueOf(run_, "ports.t0.p1.3.peak_queue_bytes").value, 1360000);
  EXPECT_EQ(*Convert(1360000, UnitOf("ports.t0.p1.3.peak_queue_bytes"), "MB"), 1.36);
  EXPECT_EQ(*Convert(1360000, "B", "kB"), 1360);
}

TEST_F(SeriesTest, ProblemsNameTheMetric) {
  EXPECT_EQ(ValueOf(run_, "rates.b.0.at(1us)").problem,
            "rates.b.0.at(1us): the result has no such series; let observe.rates record it, and run the "
            "scenario again");
  EXPECT_EQ(ValueOf(run_, "rates.a.1.at(1us)").problem,
            "rates.a.1.at(1us): the series has no value at this time; it begins at 50us");
  EXPECT_EQ(ValueOf(run_, "rates.a.0.at(soon)").problem,
            "rates.a.0.at(soon): \"soon\" is not a time such as 155us");
  EXPECT_EQ(ValueOf(run_, "rates.a.0.min").problem,
            "rates.a.0.min: \"min\" is not a function of a series; allowed: at(TIME), max, mean, p50, "
            "p95, p99");
  EXPECT_EQ(ValueOf(run_, "ports.t0.p9.3.tx_bytes").problem,
            "ports.t0.p9.3.tx_bytes: ports.csv has no such port, priority or column");
}

TEST(UnitOf, IsReadFromTheName) {
  EXPECT_EQ(UnitOf("messages.burst.completion_us.p99"), "us");
  EXPECT_EQ(UnitOf("messages.burst.goodput_gbps"), "Gbps");
  EXPECT_EQ(UnitOf("pfc.by_tier.t0.paused_us"), "us");
  EXPECT_EQ(UnitOf("ports.t0.p1.3.paused_us_tx"), "us");
  EXPECT_EQ(UnitOf("buffer.t0.peak_bytes"), "B");
  EXPECT_EQ(UnitOf("ecn.marked_fraction"), "1");
  EXPECT_EQ(UnitOf("messages.burst.jain"), "");
  EXPECT_EQ(UnitOf("run.packet_hops_per_cpu_s"), "");
}

}  // namespace
}  // namespace headroom::verdict_test

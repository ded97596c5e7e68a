#include "report/aggregate.h"

#include <gtest/gtest.h>

#include "report/metric_path.h"
#include "report/small_run.h"
#include "report/summary/summary.h"

namespace headroom::aggregate_test {
namespace {

using nlohmann::ordered_json;

ordered_json RunWithSeed(uint64_t seed, RunStatus status, uint64_t marked) {
  Scenario s = SmallScenario();
  s.seed = seed;
  RunRecord r = SmallRecord();
  r.status = status;
  r.marked_packets = marked;
  return Summarise(s, r, {});
}

TEST(Aggregate, MeansUnderTheSamePathsAndIntervalsUnderSeeds) {
  const ordered_json a =
      Aggregate({RunWithSeed(1, RunStatus::complete, 10), RunWithSeed(2, RunStatus::complete, 12)});
  EXPECT_EQ(*FindNumber(a, "ecn.marked_packets"), 11);
  const ordered_json& m = a["seeds"]["metrics"]["ecn"]["marked_packets"];
  EXPECT_EQ(m["mean"], 11.0);
  EXPECT_NEAR(m["half_width_95"], 12.7062, 1e-4);  // t(0.975; 1) × √2 / √2
  EXPECT_EQ(m["n"], 2);
  EXPECT_EQ(a["seeds"]["list"].dump(), "[1,2]");
  EXPECT_EQ(a["scenario"], "small");
}

TEST(Aggregate, RootsOfPausesAreMeansOverAllRuns) {
  // Each stops its far end for 88.98 µs; only the first names another root.
  const auto run = [](std::vector<PauseCause> causes) {
    RunRecord r = SmallRecord();
    r.pause_causes = std::move(causes);
    return Summarise(SmallScenario(), r, {});
  };
  const PauseRoot b{PauseRoot::Kind::queue, 2, 1, 3, 1}, a{PauseRoot::Kind::queue, 2, 0, 3, 1};
  const ordered_json all = Aggregate({run({{1, b, 0.5}, {1, a, 0.5}}), run({{1, a, 1}})});
  const ordered_json& roots = all["pfc"]["roots"];
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_EQ(roots[0]["port"], "Ethernet4");
  EXPECT_EQ(roots[0]["paused_us"], 66.735);
  EXPECT_EQ(roots[0]["share"], 0.75);
  EXPECT_EQ(roots[1]["paused_us"], 22.245);
  EXPECT_FALSE(all["seeds"]["metrics"]["pfc"].contains("roots"));
}

TEST(Aggregate, AMaximumStaysOne) {
  ordered_json a = RunWithSeed(1, RunStatus::complete, 1), b = RunWithSeed(2, RunStatus::complete, 1);
  for (auto& [node, buffer] : a["buffer"].items()) buffer["peak_headroom_bytes"] = 100;
  for (auto& [node, buffer] : b["buffer"].items()) buffer["peak_headroom_bytes"] = 700;
  ASSERT_FALSE(a["buffer"].empty());
  const ordered_json all = Aggregate({a, b});
  for (const auto& [node, buffer] : all["buffer"].items()) {
    EXPECT_EQ(buffer["peak_headroom_bytes"], 700.0) << node;
  }
}

TEST(Aggregate, TheWorstStatusCountsAndConservationMustHoldInAll) {
  ordered_json broken = RunWithSeed(2, RunStatus::deadline, 1);
  broken["conservation"]["ok"] = false;
  const ordered_json a = Aggregate({RunWithSeed(1, RunStatus::complete, 1), broken});
  EXPECT_EQ(a["status"], "deadline");
  EXPECT_EQ(a["conservation"]["ok"], false);
}

TEST(Aggregate, WhatIsNullInSomeRunsIsTheMeanOfTheOthers) {
  ordered_json one = RunWithSeed(1, RunStatus::complete, 4), none = RunWithSeed(2, RunStatus::complete, 4);
  none["ecn"]["marked_fraction"] = nullptr;
  const ordered_json a = Aggregate({one, none});
  EXPECT_EQ(a["ecn"]["marked_fraction"], 0.5);
  EXPECT_EQ(a["seeds"]["metrics"]["ecn"]["marked_fraction"].dump(),
            R"({"mean":0.5,"half_width_95":null,"n":1})");
  one["ecn"]["marked_fraction"] = nullptr;
  EXPECT_TRUE(Aggregate({one, none})["ecn"]["marked_fraction"].is_null());
}

TEST(Aggregate, AStatisticIsCensoredWhereItIsInAnyRun) {
  ordered_json a = RunWithSeed(1, RunStatus::complete, 4), b = a;
  b["messages"]["pair"]["completion_us"]["censored"] = {{"p50", true}};
  a["messages"]["pair"]["completion_us"]["censored"] = ordered_json::object();
  const ordered_json all = Aggregate({a, b});
  EXPECT_EQ(all["messages"]["pair"]["completion_us"]["censored"].dump(), R"({"p50":true})");
}

TEST(MetricPath, FindsAndSuggests) {
  const ordered_json s = RunWithSeed(1, RunStatus::complete, 4);
  EXPECT_EQ(*FindNumber(s, "messages.pair.completion_us.p50"), 4.0);
  EXPECT_FALSE(FindNumber(s, "messages.pair.completion_us"));
  EXPECT_FALSE(FindNumber(s, "messages.pear.completion_us.p50"));
  EXPECT_EQ(NearestPath(s, "messages.pear.completion_us.p50"), "\"messages.pair.completion_us.p50\"");
  EXPECT_EQ(NearestPath(s, "mesages.pair.completion"), "\"messages\"");
  EXPECT_EQ(NearestPath(s, "messages.pair.completion_us.p5O"), "\"messages.pair.completion_us.p50\"");
  EXPECT_EQ(NearestPath(s, "weather.tomorrow"), "");
}

TEST(Aggregate, of_fewer_runs_than_planned_is_not_complete) {
  const ordered_json whole = Aggregate({RunWithSeed(1, RunStatus::complete, 1)}, 1);
  EXPECT_EQ(whole["status"], "complete");
  EXPECT_FALSE(whole["seeds"].contains("planned"));
  const ordered_json part = Aggregate({RunWithSeed(1, RunStatus::complete, 1)}, 3);
  EXPECT_EQ(part["status"], "interrupted");
  EXPECT_EQ(part["seeds"]["planned"], 3);
}

}  // namespace
}  // namespace headroom::aggregate_test

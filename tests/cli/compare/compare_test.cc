#include "cli/compare/compare_fixture.h"

#include "report/aggregate.h"

namespace headroom::compare_test {
namespace {

// A JSON file that is not a summary. Each message has the file's name and the missing part.
TEST_F(CompareTest, ASummaryWithoutWhatEveryRunHasIsRefused) {
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, ordered_json>>{{"scenario", nullptr},
                                                                   {"status", 1},
                                                                   {"messages", ordered_json::array()},
                                                                   {"seeds", {{"list", "two"}}}}) {
    ordered_json broken = SummaryWith(20);
    broken[key] = value;
    try {
      Run(broken, SummaryWith(20), {});
      ADD_FAILURE() << key;
    } catch (const ResultError& error) {
      EXPECT_NE(std::string(error.what())
                    .find(std::string("summary.json: the file is not a summary of a run: ") + key),
                std::string::npos)
          << error.what();
    }
  }
  EXPECT_THROW(Run(ordered_json::object(), SummaryWith(20), {}), ResultError);
}

// If neither file is a summary, both are in the message. Only the core with the largest change is printed.
TEST_F(CompareTest, OperationsAreComparedByKind) {
  Run(SummaryOfIos(100, 40, 0.25), SummaryOfIos(150, 40, 0.5), {});
  EXPECT_TRUE(Says("operations.disks.read.latency_us.p99")) << text_;
  EXPECT_TRUE(Says("+50.0 %")) << text_;
  EXPECT_FALSE(Says("operations.disks.write.")) << text_;
  EXPECT_EQ(text_.find("operations.disks.all.", text_.find("\nmetric")), std::string::npos) << text_;
  EXPECT_TRUE(Says("most of 4 cores")) << text_;
  EXPECT_TRUE(Says("8 metrics changed")) << text_;
  Run(SummaryOfIos(100, 40, 0.25), SummaryOfIos(50, 90, 0.25), {});
  EXPECT_TRUE(Says("operations.disks.all.latency_us.p99")) << text_;
}

TEST_F(CompareTest, EqualResultsDifferInTheirCostAlone) {
  ordered_json b = SummaryWith(20);
  b["run"]["cpu_s"] = 99;
  EXPECT_EQ(Run(SummaryWith(20), b, 0.0), 0);
  EXPECT_TRUE(Says("0 metrics changed, 4 are equal; 0 changed by more than 0 %\n")) << text_;
}

TEST_F(CompareTest, AChangeBeyondTheToleranceIsExitOne) {
  EXPECT_EQ(Run(SummaryWith(20), SummaryWith(21), 6.0), 0);
  EXPECT_EQ(Run(SummaryWith(20), SummaryWith(21), 4.0), 1);
  EXPECT_TRUE(Says("messages.burst.completion_us.p99  20  21  +5.00 %  beyond\n")) << text_;
}

TEST_F(CompareTest, WithoutAToleranceNothingFails) {
  EXPECT_EQ(Run(SummaryWith(20), SummaryWith(90), {}), 0);
}

TEST_F(CompareTest, WhatAppearsOrVanishesIsBeyondEveryTolerance) {
  ordered_json b = SummaryWith(20);
  b["pfc"]["pauses"] = 3;
  EXPECT_EQ(Run(SummaryWith(20), b, 1000.0), 1);
  b = SummaryWith(20);
  b["messages"]["burst"]["completion_us"]["p99"] = nullptr;
  EXPECT_EQ(Run(SummaryWith(20), b, 1000.0), 1);
  EXPECT_TRUE(Says("messages.burst.completion_us.p99  20  -          beyond\n")) << text_;
  b = SummaryWith(20);
  b["status"] = "deadlock";
  EXPECT_EQ(Run(SummaryWith(20), b, 1000.0), 1);
  EXPECT_TRUE(Says("deadlock")) << text_;
}

TEST_F(CompareTest, JsonHasWhatTheTextHas) {
  const auto json = [&](const ordered_json& a, const ordered_json& b, std::optional<double> tolerance) {
    code_ = Run(a, b, tolerance);
    std::ostringstream out;
    EXPECT_EQ(Compare(root_ / "a", root_ / "b", {.tolerance_percent = tolerance, .json = true}, out), code_);
    return ordered_json::parse(out.str());
  };
  ordered_json of = json(SummaryWith(20), SummaryWith(25), 10.0);
  EXPECT_EQ(code_, 1);
  EXPECT_TRUE(of["settings"].is_null());
  EXPECT_EQ(of["why_no_settings"], (root_ / "a").string() + " has no resolved.yaml");
  EXPECT_EQ(of["equal"], 3);  // p50, pauses and status
  EXPECT_EQ(of["changes"].dump(),
            R"([{"metric":"messages.burst.completion_us.p99","a":20.0,"b":25.0,"change_percent":25.0,)"
            R"("low_percent":null,"high_percent":null,"within_interval":false,"verdict":null}])");
  of = json(Aggregate({SummaryWith(19, 1), SummaryWith(21, 2)}),
            Aggregate({SummaryWith(20, 1), SummaryWith(22, 2)}), {});
  const ordered_json& change = of["changes"][0];
  EXPECT_NEAR(change["high_percent"].get<double>() - change["change_percent"].get<double>(), 89.85, 0.01);
  EXPECT_EQ(change["within_interval"], true);
  EXPECT_EQ(change["verdict"], "undecided");
}

TEST_F(CompareTest, AFolderWithoutResultIsAnError) {
  std::ostringstream out;
  EXPECT_THROW(Compare(root_ / "none", root_ / "none", {}, out), ResultError);
}

}  // namespace
}  // namespace headroom::compare_test

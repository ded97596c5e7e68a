#include "cli/compare.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>

#include "report/aggregate.h"
#include "report/result.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

ordered_json SummaryWith(double p99, uint64_t seed = 1) {
  ordered_json s;
  s["scenario"] = "rack";
  s["seed"] = seed;
  s["status"] = "complete";
  s["run"]["cpu_s"] = p99 * 7;
  s["messages"]["burst"]["completion_us"] = {
      {"p50", 10.0}, {"p99", p99}, {"censored", ordered_json::object()}};
  s["pfc"]["pauses"] = 0;
  return s;
}

class CompareTest : public ::testing::Test {
 protected:
  CompareTest() : root_(fs::temp_directory_path() / ("headroom-compare-" + std::to_string(getpid()))) {}
  ~CompareTest() override { fs::remove_all(root_); }

  int Run(const ordered_json& a, const ordered_json& b, std::optional<double> tolerance) {
    for (const auto& [name, summary] : {std::pair("a", a), std::pair("b", b)}) {
      fs::create_directories(root_ / name);
      WriteSummary(root_ / name, summary);
    }
    std::ostringstream out;
    const int code = Compare(root_ / "a", root_ / "b", tolerance, out);
    text_ = out.str();
    return code;
  }
  bool Says(const std::string& what) const { return text_.find(what) != std::string::npos; }

  const fs::path root_;
  std::string text_;
};

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

TEST_F(CompareTest, AChangeWithinTheIntervalsIsNoise) {
  // Means 20 and 21; each half-width is 12.7062 × √2 / √2, together 12.7 × √2 = 17.97: far more than 1.
  const ordered_json a = Aggregate({SummaryWith(19, 1), SummaryWith(21, 2)});
  const ordered_json b = Aggregate({SummaryWith(20, 1), SummaryWith(22, 2)});
  EXPECT_EQ(Run(a, b, 1.0), 0);
  EXPECT_TRUE(Says("within the intervals")) << text_;
  EXPECT_TRUE(Says("(rack, 2 seeds)")) << text_;
  EXPECT_TRUE(Says("20 ±12.71")) << text_;
}

TEST_F(CompareTest, OfManySwitchesTheLargestChangeStandsForAll) {
  ordered_json a = SummaryWith(20), b = a;
  for (const char* name : {"t0", "t1", "t2"}) a["buffer"][name]["peak_bytes"] = 100;
  b["buffer"]["t0"]["peak_bytes"] = 101;
  b["buffer"]["t1"]["peak_bytes"] = 150;
  b["buffer"]["t2"]["peak_bytes"] = 90;
  Run(a, b, {});
  EXPECT_TRUE(Says("buffer.t1.peak_bytes  100  150  +50.0 %  most of 3 switches\n")) << text_;
  EXPECT_FALSE(Says("buffer.t0")) << text_;
}

TEST_F(CompareTest, AFolderWithoutResultIsAnError) {
  std::ostringstream out;
  EXPECT_THROW(Compare(root_ / "none", root_ / "none", {}, out), ResultError);
}

}  // namespace
}  // namespace headroom

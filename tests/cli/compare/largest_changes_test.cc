#include "cli/compare/largest_changes.h"

#include <gmock/gmock.h>

#include "cli/compare/compare_fixture.h"

namespace headroom::largest_changes_test {
namespace {

/// The lines of the table of largest changes.
std::vector<std::string> Largest(const std::string& text) {
  std::vector<std::string> paths;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (inside && line.empty()) break;
    if (inside) paths.push_back(line.substr(0, line.find(' ')));
    inside |= line.starts_with("what changed most");
  }
  return paths;
}

TEST_F(CompareTest, TheFiveChangesThatMatterMostComeFirst) {
  const auto with = [](double burst, double other, double goodput, int unfinished, double paused) {
    ordered_json s = SummaryWith(burst);
    s["messages"]["burst"]["goodput_gbps"] = goodput;
    s["messages"]["burst"]["unfinished"] = unfinished;
    s["messages"]["burst"]["slowdown"] = {{"p99", burst / 5}};
    s["messages"]["other"] = s["messages"]["burst"];
    s["messages"]["other"]["completion_us"]["p50"] = other / 2;
    s["messages"]["other"]["completion_us"]["p99"] = other;
    s["pfc"] = {{"pauses", paused}, {"paused_us", paused}};
    s["ecn"] = {{"marked_fraction", paused / 1e6}};
    s["buffer"]["s0"]["peak_bytes"] = burst * paused;
    return s;
  };
  // A workload's time halves or triples: a third of the ratio is as much as three times it. Pauses follow.
  Run(with(30, 60, 50, 0, 10), with(90, 30, 51, 2, 1000), std::nullopt);
  EXPECT_THAT(Largest(text_), ::testing::ElementsAre("messages.burst.unfinished", "messages.other.unfinished",
                                                     "messages.burst.completion_us.p99",
                                                     "messages.other.completion_us.p50", "pfc.paused_us"));
  EXPECT_LT(text_.find("what changed most"), text_.find("settings are"));
  // A goodput that changed by less than the resolution is not listed, nor is a table of few changes.
  Run(with(30, 60, 50, 0, 10), with(30.3, 60.6, 50.1, 0, 10), std::nullopt);
  EXPECT_FALSE(Says("what changed most"));
  EXPECT_THAT(LargestChanges({}, 0.03, 5), ::testing::IsEmpty());
}

TEST_F(CompareTest, WhatFollowsFromTheCompletionTimeHasNoLine) {
  // p99 changes from 20 to 21, 4 to 4.2 and 10 to 10.5, always by 5 %; p50 from 10 to 10, 2 to 3, 8 to 9.
  ordered_json a = SummaryWith(20), b = SummaryWith(21);
  a["messages"]["burst"]["slowdown"] = {{"p50", 2.0}, {"p99", 4.0}};
  b["messages"]["burst"]["slowdown"] = {{"p50", 3.0}, {"p99", 4.2}};
  a["messages"]["burst"]["delivery_us"] = {{"p50", 8.0}, {"p99", 10.0}};
  b["messages"]["burst"]["delivery_us"] = {{"p50", 9.0}, {"p99", 10.5}};
  Run(a, b, {});
  EXPECT_FALSE(Says("slowdown.p99")) << text_;
  EXPECT_FALSE(Says("delivery_us.p99")) << text_;
  EXPECT_TRUE(Says("messages.burst.delivery_us.p50     8   9  +12.5 %\n")) << text_;
  EXPECT_TRUE(Says("messages.burst.slowdown.p50        2   3  +50.0 %\n")) << text_;
  EXPECT_TRUE(
      Says("not listed: slowdowns and delivery times that changed by the same share as the completion "
           "times\n5 metrics changed, 3 are equal\n"))
      << text_;
}

TEST_F(CompareTest, APartThatIsTheWholeHasNoLine) {
  ordered_json a = SummaryWith(20), b = a;
  for (auto* s : {&a, &b}) {
    const bool second = s == &b;
    (*s)["pfc"] = {{"pauses", second ? 5 : 3},
                   {"by_tier", {{"leaf", {{"pauses", second ? 5 : 3}}}}},
                   {"by_priority", {{"3", {{"pauses", second ? 4 : 3}}}}}};
  }
  Run(a, b, {});
  EXPECT_TRUE(
      Says("metric                    A  B   change\n"
           "pfc.pauses                3  5  +66.7 %\n"
           "pfc.by_priority.3.pauses  3  4  +33.3 %\n\n"))
      << text_;
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

TEST_F(CompareTest, OfThePartsOfATimeAndItsWaitsTheLargestChangeInMicrosecondsStandsForAll) {
  ordered_json a = SummaryWith(20), b = a;
  ordered_json& before = a["operations"]["disks"]["read"];
  before["parts_at_us"]["p99"] = {{"device", 80.0}, {"queued", 400.0}, {"port", 0.01}};
  before["waits_at_us"]["p99"]["t0:p4:3"] = {{"queued", 300.0}, {"towards", "h1"}};
  ordered_json& after = b["operations"]["disks"]["read"];
  after = before;
  after["parts_at_us"]["p99"] = {{"device", 80.1}, {"queued", 200.0}, {"port", 0.05}};
  after["waits_at_us"]["p99"]["t0:p4:3"]["queued"] = 290.0;
  after["waits_at_us"]["p99"]["t1:p2:3"] = {{"paused", 150.0}, {"towards", "t0"}};
  Run(a, b, {});
  EXPECT_TRUE(
      Says("operations.disks.read.parts_at_us.p99.queued          400  200  -50.0 %  most of 3 parts\n"))
      << text_;
  EXPECT_TRUE(
      Says("operations.disks.read.waits_at_us.p99.t1:p2:3.paused    -  150           most of 2 waits\n"))
      << text_;
  EXPECT_FALSE(Says("device")) << text_;
  EXPECT_FALSE(Says("towards")) << text_;
  EXPECT_TRUE(Says("6 metrics changed")) << text_;
  Run(a, b, 60);
  EXPECT_TRUE(Says("-50.0 %  most of 3 parts, 1 beyond\n")) << text_;
}

}  // namespace
}  // namespace headroom::largest_changes_test

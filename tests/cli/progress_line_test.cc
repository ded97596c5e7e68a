// Output on a terminal before a run starts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/progress_line.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom::progress_line_test {
namespace {

using testing::ElementsAre;

TEST(Progress, a_run_says_what_it_sets_up_before_it_begins) {
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    s.workloads = {WorkloadOf("w", ListArrivals{{{Time{}, 0, 1, Bytes(1000), {}}}})};
    std::vector<std::string> said;
    RunOptions options;
    options.on_setup = [&](const std::string& what) { said.push_back(what); };
    options.on_start = [&] { said.emplace_back("start"); };
    headroom::Run(s, options);
    EXPECT_THAT(
        said, ElementsAre("routes", "nodes", "links", "switches", "NICs", "workloads and counters", "start"));
  });
}

TEST(Progress, a_line_is_written_where_it_is_enabled_and_taken_away_again) {
  const auto written = [](ProgressTo to) {
    testing::internal::CaptureStderr();
    ProgressLine line(to, 1e9);  // the start is independent of the time that earlier tests took
    line.Step("reading x.yaml");
    line.Clear();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(written(ProgressTo::nobody), "");
  const std::string text = written(ProgressTo::terminal);
  EXPECT_TRUE(text.starts_with("\rreading x.yaml …")) << text;
  EXPECT_TRUE(text.ends_with('\r')) << text;
}

TEST(Progress, elsewhere_what_takes_long_before_a_run_is_said_once_and_a_run_is_not) {
  const auto written = [](double patience_cpu_s, bool started) {
    testing::internal::CaptureStderr();
    ProgressLine line(ProgressTo::nobody, patience_cpu_s);
    if (started) line.Start();
    line.Step("big: setting up links");
    line.Step("big: setting up switches");
    return testing::internal::GetCapturedStderr();
  };
  const std::string text = written(0, false);
  EXPECT_TRUE(text.starts_with("headroom: big: setting up links: this takes a while; ")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_EQ(written(1e9, false), "");
  EXPECT_EQ(written(0, true), "");
}

TEST(Progress, a_log_gets_a_line_at_most_so_often_and_each_names_its_run) {
  const Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
  const auto written = [&](std::chrono::hours every) {
    testing::internal::CaptureStderr();
    {
      ProgressLine line(ProgressTo::log, 0, every);
      line.Step("reading x.yaml");
      line.Start();
      for (int i = 0; i < 3; ++i) line.Update("x, seed 2", s, {});
    }
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(written(std::chrono::hours(1)), "");
  const std::string text = written(std::chrono::hours(0));
  EXPECT_TRUE(text.starts_with("headroom: reading x.yaml …\nheadroom: x, seed 2  0.000 of ")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 0) << text;
}

}  // namespace
}  // namespace headroom::progress_line_test

// What is said on a terminal before a run begins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/progress_line.h"
#include "support/in_child.h"
#include "support/scenarios.h"

namespace headroom::progress_test {
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
  const auto written = [](bool enabled) {
    testing::internal::CaptureStderr();
    ProgressLine line(enabled);
    line.Step("reading x.yaml");
    line.Clear();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(written(false), "");
  const std::string text = written(true);
  EXPECT_TRUE(text.starts_with("\rreading x.yaml …")) << text;
  EXPECT_TRUE(text.ends_with('\r')) << text;
}

}  // namespace
}  // namespace headroom::progress_test

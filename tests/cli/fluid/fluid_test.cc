// Tests of the command `fluid`.
#include "cli/fluid/fluid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/text/text_table.h"

namespace headroom::fluid_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kStar = R"(name: star
duration: 1s
topology: {type: star, hosts: 11, link: {rate: 40Gbps, delay: 12us}}
switches: [{match: "*", ecn: {storage: {kmin: 5KB, kmax: 200KB, pmax: 1%}}}]
workloads:
  - {name: many, type: stream, from: "*", to: h10, message: 1MB}
)";

class FluidTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/headroom-fluid-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
    std::ofstream(dir_ / "star.yaml") << kStar;
  }
  void TearDown() override { fs::remove_all(dir_); }

  FluidAnswer Answer(const std::vector<std::string>& sets = {}) {
    return AnswerFluid(dir_ / "star.yaml", sets);
  }
  std::string Refusal(const std::vector<std::string>& sets) {
    try {
      Answer(sets);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "none";
  }

  fs::path dir_;
};

TEST_F(FluidTest, text_says_where_it_settles_and_what_to_change) {
  const std::string text = FluidAnswerAsText(Answer());
  EXPECT_THAT(text, StartsWith("scenario   star ("));
  EXPECT_THAT(text, HasSubstr("\ns0:p10     10        4     49.49  0.67 % "));
  EXPECT_THAT(text, HasSubstr("  low margin\n"));
  EXPECT_THAT(text,
              HasSubstr("\nqueue      s0:p10: class storage of many; the whole port at 40Gbps; kmin 5KB"));
  EXPECT_THAT(text, HasSubstr("→ rate_ai of 2500Kbps (margin "));
  // Ten flows share 40 Gb/s, and of 1106 bytes 1024 are payload.
  EXPECT_THAT(
      text,
      HasSubstr("\nmany             10        3.70    3.70  3.70                                  0\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 100u) << line;
}

TEST_F(FluidTest, json_has_the_same) {
  const FluidAnswer answer = Answer();
  const auto json = FluidAnswerAsJson(answer);
  const auto& queue = json["bottlenecks"][0];
  EXPECT_EQ(queue["at"], "s0:p10");
  EXPECT_EQ(queue["flows"], 10);
  EXPECT_TRUE(queue["refused"].is_null());
  EXPECT_EQ(queue["stability"]["verdict"], "low margin");
  EXPECT_EQ(queue["stability"]["phase_margin_deg"], answer.checks.bottlenecks[0].stability.Margin().value());
  EXPECT_EQ(queue["remedies"][0]["rate_ai_bps"], 2'500'000);
  EXPECT_EQ(json["flows"].size(), 10u);
  EXPECT_EQ(json["flows"][0]["bottleneck"], "s0:p10");
  EXPECT_DOUBLE_EQ(json["flows"][0]["max_min_bps"], 4e9);
}

TEST_F(FluidTest, runs_are_of_the_queues_that_the_model_applies_to) {
  const auto json = FluidRunsAsJson(Answer());
  ASSERT_EQ(json["runs"].size(), 1u);
  const auto& run = json["runs"][0];
  EXPECT_EQ(run["time_us"].size(), run["queue_bytes"].size());
  EXPECT_GT(run["time_us"].size(), 1900u);
  EXPECT_EQ(run["time_us"][0], 0);
  EXPECT_EQ(run["queue_bytes"][0], 0);
  ASSERT_EQ(run["groups"].size(), 1u);
  EXPECT_EQ(run["groups"][0]["rate_bps"].size(), run["time_us"].size());
  EXPECT_DOUBLE_EQ(run["groups"][0]["rate_bps"][0], 40e9);
}

TEST_F(FluidTest, what_the_model_does_not_apply_to_is_refused_with_the_reason) {
  EXPECT_THAT(Refusal({"nics=[{match: \"*\", congestion_control: none}]"}),
              HasSubstr("star.yaml: the fluid model applies to none of the scenario's bottlenecks:\n  "
                        "s0:p10: congestion_control: none"));
  EXPECT_THAT(Refusal({"nics=[{match: \"*\", generation: hpcc-sim}]"}), HasSubstr("machine: paper"));
  EXPECT_THAT(Refusal({"switches.0.ecn=none"}), HasSubstr("ECN is off for class storage"));
  EXPECT_THAT(Refusal({"workloads=[{name: some, type: poisson, sizes: AliStorage2019, load: 10%}]"}),
              HasSubstr("no workload has lasting flows (the workload some sends at a given rate)"));
}

TEST_F(FluidTest, no_bottleneck_is_an_answer) {
  const FluidAnswer answer = Answer({"workloads.many.from=h0"});
  EXPECT_THAT(FluidAnswerAsText(answer), HasSubstr("none: only their senders' own links limit the flows"));
}

TEST_F(FluidTest, the_program_draws) {
  const std::string out = (dir_ / "out").string();
  const std::string call =
      std::string(HEADROOM_PROGRAM) + " fluid " + (dir_ / "star.yaml").string() + " --out " + out + " 2>&1";
  std::FILE* pipe = popen(call.c_str(), "r");
  std::string said;
  char part[4096];
  for (size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) said.append(part, n);
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 0) << said;
  EXPECT_THAT(said, HasSubstr("plots/: fluid (.svg, .png, .csv)\n"));
  for (const char* file : {"fluid.json", "plots/fluid.svg", "plots/fluid.png", "plots/fluid.csv"})
    EXPECT_GT(fs::file_size(fs::path(out) / file), 1000u) << file;
}

}  // namespace
}  // namespace headroom::fluid_test

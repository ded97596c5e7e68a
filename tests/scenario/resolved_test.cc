// Every default is written: loading the text gives an equal scenario.
#include <gtest/gtest.h>

#include <filesystem>

#include "run/record_text.h"
#include "run/run.h"
#include "scenario/write/write.h"
#include "scenario/yaml/document.h"
#include "support/in_child.h"
#include "support/random_scenario.h"
#include "support/same_scenario.h"
#include "support/test_folder.h"

namespace headroom::resolved_test {
namespace {

namespace fs = std::filesystem;

const fs::path kGood = fs::path(HEADROOM_SOURCE_DIR) / "tests/scenario/good";

class ResolvedScenario : public ::testing::Test {
 protected:
  ScenarioFile Again(const Resolved& resolved) {
    for (const ReferencedFile& f : resolved.files)
      fs::copy_file(f.from, folder_ / f.name, fs::copy_options::overwrite_existing);
    return LoadScenarioFileText(resolved.yaml, "resolved.yaml", folder_.path());
  }
  void ExpectFixedPoint(const ScenarioFile& file) {
    const Resolved once = WriteResolved(file);
    const ScenarioFile again = Again(once);
    ExpectSameScenario(file.scenario, again.scenario);
    const Resolved twice = WriteResolved(again);
    EXPECT_EQ(once.yaml, twice.yaml);
    EXPECT_EQ(once.files.size(), twice.files.size());
  }

  const TestFolder folder_;
};

TEST_F(ResolvedScenario, of_each_good_one_is_a_fixed_point) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(kGood)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    ExpectFixedPoint(LoadScenarioFile(entry.path()));
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST_F(ResolvedScenario, of_each_shipped_one_is_a_fixed_point) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADROOM_SOURCE_DIR) / "scenarios")) {
    if (entry.path().extension() != ".yaml" || entry.path().parent_path().filename() == "common") continue;
    const Node document = ReadDocument(entry.path(), {});
    if (!document.Find("topology") || !document.Find("workloads"))
      continue;  // a study, or a part for other files
    SCOPED_TRACE(entry.path());
    ExpectFixedPoint(LoadScenarioFile(entry.path()));
    ++count;
  }
  EXPECT_GE(count, 100);
}

TEST_F(ResolvedScenario, of_random_ones_is_a_fixed_point) {
  for (uint64_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + RandomScenarioText(seed));
    ExpectFixedPoint(LoadRandomScenario(seed));
  }
}

TEST_F(ResolvedScenario, runs_as_what_it_was_written_of) {
  const auto run = [](const Scenario& s) {
    return TextFromChild([&] { return RecordText(headroom::Run(s, {})); });
  };
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + RandomScenarioText(seed));
    const ScenarioFile file = LoadRandomScenario(seed);
    ExpectSameText(run(Again(WriteResolved(file)).scenario), run(file.scenario));
  }
}

TEST_F(ResolvedScenario, has_what_was_set) {
  const ScenarioFile file = LoadScenarioFile(kGood / "contract.yaml", {"workloads.burst.fan_in=1", "seed=9"});
  const std::string text = WriteResolved(file).yaml;
  EXPECT_NE(text.find("seed: 9\n"), std::string::npos);
  EXPECT_NE(text.find("fan_in: 1\n"), std::string::npos);
  EXPECT_EQ(text.find("vary"), std::string::npos);
}

}  // namespace
}  // namespace headroom::resolved_test

// Statements about a run come from the configuration with which it ran.
#include "report/result_scenario.h"

#include <gtest/gtest.h>

#include "files/staged_directory.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/same_scenario.h"
#include "support/sonic.h"
#include "support/test_folder.h"

namespace headroom::result_scenario_test {
namespace {

namespace fs = std::filesystem;

/// An entry for all switches marks one class, and leaf0's file the other.
std::string Mixed() {
  return "name: mixed\n"
         "duration: 1ms\n"
         "topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2, host_link: {rate: 40Gbps, "
         "length: "
         "5m},\n"
         "           fabric_link: {rate: 100Gbps, length: 40m}}\n"
         "priorities: {storage: {priority: 3, dscp: 3, lossless: true}, second: {priority: 4, dscp: 4, "
         "lossless: "
         "true}}\n"
         "nics: [{match: \"*\", congestion_control: none}]\n"
         "workloads: [{name: p, type: permutation, size: 1KB}]\n"
         "switches:\n"
         "  - {match: \"*\", buffer: {profile: azure-24mb}, ecn: {storage: {kmin: 1KB, kmax: 2KB, pmax: "
         "1%}}}\n"
         "  - {match: leaf0, buffer: {sonic: rack.config_db.json}}\n";
}

TEST(ResultScenario, IsWhatWasRun) {
  const TestFolder folder;
  folder.Write("rack.config_db.json", SonicText("rack.config_db.json"));
  const ScenarioFile run = LoadScenarioFileText(Mixed(), "mixed.yaml", folder.path());
  const Resolved resolved = WriteResolved(run);
  for (const ReferencedFile& f : resolved.files) fs::copy_file(f.from, folder / f.name);
  folder.Write("resolved.yaml", resolved.yaml);
  const Scenario read = ReadScenarioOfResult(folder.path());
  ExpectSameScenario(read, run.scenario);
  EXPECT_TRUE(read.switches[0].ecn[4]);
  EXPECT_FALSE(read.switches[1].ecn[4]);
  EXPECT_FALSE(ReadScenarioOfResult(folder.path(), {"switches.leaf0.ecn.second=none"}).switches[0].ecn[4]);
}

// Version 0.1 wrote it so: "*" has no marking for a class that leaf0's file marks.
TEST(ResultScenario, OfAnEarlierVersionThatSaysOtherwiseIsRefused) {
  const TestFolder folder;
  folder.Write("rack.config_db.json", SonicText("rack.config_db.json"));
  std::string text = Mixed();
  const std::string before = "pmax: 1%}}}";
  text.replace(text.find(before), before.size(), "pmax: 1%}, second: none}}");
  folder.Write("resolved.yaml", text);
  try {
    ReadScenarioOfResult(folder.path());
    FAIL();
  } catch (const ResultError& error) {
    EXPECT_EQ(folder.Without(error.what()),
              "resolved.yaml: was written by an earlier version, which did not keep the values of switch "
              "leaf0 from its SONiC configuration; run the scenario again");
  }
}

}  // namespace
}  // namespace headroom::result_scenario_test

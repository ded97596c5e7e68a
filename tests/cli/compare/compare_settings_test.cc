#include "cli/compare/compare_fixture.h"

#include <fstream>

#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/random_scenario.h"
#include "support/same_scenario.h"

namespace headroom::compare_settings_test {
namespace {

class CompareSettingsTest : public CompareTest {
 protected:
  void Write(const char* dir, const std::string& resolved) {
    fs::create_directories(root_ / dir);
    std::ofstream(root_ / dir / "resolved.yaml") << resolved;
  }
  void Write(const char* dir, const Resolved& resolved) {
    Write(dir, resolved.yaml);
    for (const auto& f : resolved.files)
      fs::copy_file(f.from, root_ / dir / f.name, fs::copy_options::overwrite_existing);
  }
};

TEST_F(CompareSettingsTest, TheSettingsThatDifferComeFirst) {
  const std::string common =
      "name: rack\nduration: 1ms\ntopology: {type: star}\nswitches:\n  - match: \"*\"\n    latency: 500ns\n";
  Write("a", common +
                 "    ecn: {storage: {kmin: 100KB, kmax: 400KB}}\nseed: 1\n"
                 "workloads:\n  - {name: burst, fan_in: 8, from: [h0, h1]}\n  - {name: more, size: 1MB}\n");
  Write("b",
        common +
            "    ecn: {storage: {kmin: 100KB, kmax: 1600KB}}\nseed: 2\n"
            "workloads:\n  - {name: burst, fan_in: 8, from: [h0, h2]}\nmtu: 4096\nframes: {gap: {x: 1}}\n");
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_TRUE(
      Says("setting                                            A         B\n"
           "switches.*.ecn.storage.kmax                    400KB    1600KB\n"
           "workloads.burst.from                        [h0, h1]  [h0, h2]\n"
           "workloads.more               {name: more, size: 1MB}         -\n"
           "mtu                                                -      4096\n"
           "frames.gap.x                                       -         1\n"))
      << text_;
}

/// The switch of a shipped configuration, whose scenario changes two of the file's values.
TEST_F(CompareSettingsTest, AgainstASettingOfTheScenarioStandsWhatTheFileHas) {
  const std::string file = std::string(HEADROOM_SOURCE_DIR) + "/scenarios/own-switch.yaml";
  const std::string xoff = "switches.t0.buffer.tables.BUFFER_PROFILE.pg_lossless_100000_40m_profile.xoff";
  Write("a", WriteResolved(LoadScenarioFile(file)));
  Write("b", WriteResolved(LoadScenarioFile(
                 file, {xoff + "=252928", "switches.t0.ecn.storage={kmin: 500KB, kmax: 2MB, pmax: 1%}"})));
  Run(SummaryWith(20), SummaryWith(21), {});
  const auto line = [&](const std::string& key) {
    const size_t at = text_.find("switches.t0." + key);
    return at == std::string::npos ? "no line" : text_.substr(at, text_.find('\n', at) - at);
  };
  EXPECT_EQ(line("buffer"), xoff + "  59696  252928") << text_;
  EXPECT_TRUE(line("ecn.storage.kmin").ends_with("   2MB   500KB")) << text_;
}

/// The scenario without the notes on which settings of a SONiC switch are its own.
Scenario AsItRuns(const Scenario& scenario) {
  Scenario s = WithoutPlaces(scenario);
  for (SwitchParameters& each : s.switches) {
    if (!each.sonic) continue;
    each.sonic->own_ecn.fill(false);
    each.sonic->own_watchdogs = false;
  }
  return s;
}

/// A random scenario, and the same with one changed setting of one node. The table has exactly the
/// differences of the runs.
TEST_F(CompareSettingsTest, SettingsAreEqualWhereTheScenariosAre) {
  int equal = 0, different = 0;
  for (uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed, {.files = false});
    const Topology& t = file.scenario.topology;
    Write("a", WriteResolved(file));
    const std::string of_switch = "switches." + t.nodes[t.hosts].name, of_nic = "nics." + t.nodes[0].name,
                      of_host = "hosts." + t.nodes[0].name;
    for (const std::string& set :
         {of_switch + ".latency=500ns", of_switch + ".ecn.storage=none", of_switch + ".pfc.watchdog=none",
          of_switch + ".ecn.storage={kmin: 1KB, kmax: 2KB, pmax: 1}", of_nic + ".resources=ideal",
          of_nic + ".transport.rto=4ms", of_host + ".cores=1"}) {
      SCOPED_TRACE(RandomScenarioText(seed, {.files = false}) + set);
      std::optional<ScenarioFile> changed;
      try {
        changed.emplace(LoadScenarioFileText(RandomScenarioText(seed, {.files = false}), "x.yaml",
                                             RandomScenarioFolder(), {set}));
      } catch (const ScenarioError&) {
        continue;  // the setting is not possible with the others
      }
      Write("b", WriteResolved(*changed));
      Run(SummaryWith(20), SummaryWith(21), {});
      const bool same = AsItRuns(file.scenario) == AsItRuns(changed->scenario);
      EXPECT_EQ(Says("all settings are equal"), same) << text_;
      ++(same ? equal : different);
    }
  }
  EXPECT_GE(equal, 5);
  EXPECT_GE(different, 25);
}

/// A result of an earlier version, whose entry for all switches replaces values of t0's file.
TEST_F(CompareSettingsTest, SettingsThatAreNotThoseOfTheRunAreNotCompared) {
  Resolved resolved =
      WriteResolved(LoadScenarioFile(std::string(HEADROOM_SOURCE_DIR) + "/scenarios/own-switch.yaml"));
  Write("a", resolved);
  resolved.yaml.insert(resolved.yaml.find("switches:\n") + 10, "  - {match: \"*\", pfc: {watchdog: none}}\n");
  Write("b", resolved);
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_TRUE(Says("settings are not compared: " + (root_ / "b/resolved.yaml").string() +
                   ": was written by an earlier version"))
      << text_;
}

/// One result has a separate entry for a switch. The other has an entry for all switches.
TEST_F(CompareSettingsTest, AgainstAnEntryOfItsOwnStandsWhatTheWiderOneSays) {
  const std::string text =
      "topology: {type: dumbbell, left: 1, right: 1, link: {rate: 100Gbps, length: 3m}, bottleneck: {rate: "
      "100Gbps, length: 3m}}\nswitches: [{match: \"*\", latency: 600ns}]\n"
      "workloads: [{name: p, type: permutation, size: 1KB}]\n";
  const auto with = [&](const std::vector<std::string>& sets) {
    return WriteResolved(LoadScenarioFileText(text, "own.yaml", ".", sets));
  };
  Write("a", with({}));
  Write("b", with({"switches.s1.latency=1us", "nics.l0.tx_latency=5ns",
                   "switches.s1.buffer={profile: azure-24mb, alpha: 1/2, tables: {BUFFER_PROFILE: "
                   "{ingress_lossless: {xon: "
                   "4KB}}}}"}));
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_TRUE(
      Says("setting                                                            A    B\n"
           "switches.s1.latency                                            600ns  1us\n"
           "switches.s1.buffer.alpha                                         1/8  1/2\n"
           "switches.s1.buffer.tables.BUFFER_PROFILE.ingress_lossless.xon   1248  4KB\n"
           "nics.l0.tx_latency                                               0ns  5ns\n\n"))
      << text_;
}

TEST_F(CompareSettingsTest, ASettingOfTwoSwitchesIsNamedAsSetTakesIt) {
  const auto with = [](const std::string& latency) {
    return "name: rack\nduration: 1ms\ntopology: {type: star}\nworkloads: []\nswitches:\n  - match: [t0, "
           "\"u*\"]\n    latency: " +
           latency + "\n    buffer: {tables: {SCHEDULER: {scheduler.0: {weight: " + latency + "}}}}\n";
  };
  Write("a", with("1us"));
  Write("b", with("2us"));
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_TRUE(Says("switches.[t0,u*].latency ")) << text_;
  EXPECT_TRUE(Says("switches.[t0,u*].buffer.tables.SCHEDULER.\"scheduler.0\".weight ")) << text_;
}

}  // namespace
}  // namespace headroom::compare_settings_test

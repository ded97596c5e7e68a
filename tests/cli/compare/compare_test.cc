#include "cli/compare/compare.h"
#include "cli/compare/largest_changes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "report/aggregate.h"
#include "report/result.h"
#include "report/verdict.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/random_scenario.h"
#include "support/same_scenario.h"

namespace headroom::compare_test {
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

  int Run(const ordered_json& a, const ordered_json& b, std::optional<double> tolerance,
          const std::vector<std::string>& metrics = {}) {
    for (const auto& [name, summary] : {std::pair("a", a), std::pair("b", b)}) {
      fs::create_directories(root_ / name);
      WriteSummary(root_ / name, summary);
    }
    std::ostringstream out;
    const int code =
        Compare(root_ / "a", root_ / "b", {.tolerance_percent = tolerance, .metrics = metrics}, out);
    text_ = out.str();
    return code;
  }
  bool Says(const std::string& what) const { return text_.find(what) != std::string::npos; }

  const fs::path root_;
  std::string text_;
  int code_ = 0;
};

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

ordered_json SummaryOfIos(double p99, double writes_p99, double busy, uint64_t seed = 1) {
  ordered_json s = SummaryWith(20, seed);
  const auto kind = [](double us) -> ordered_json {
    return {{"iops", 1e6 / us}, {"latency_us", {{"p99", us}, {"censored", ordered_json::object()}}}};
  };
  s["operations"]["disks"] = {
      {"read", kind(p99)}, {"write", kind(writes_p99)}, {"all", kind(std::max(p99, writes_p99))}};
  s["services"]["store"]["starved"] = 4;
  for (const char* host : {"c0", "c1"}) s["cores"][host]["utilisation"] = {{"0", busy}, {"1", busy / 2}};
  return s;
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

TEST_F(CompareTest, ChangesOfOperationsHaveIntervals) {
  const auto seeds = [](double shift) {
    return Aggregate({SummaryOfIos(100 + shift, 40, 0.25, 1), SummaryOfIos(102 + shift, 40, 0.25, 2)});
  };
  // Two means of ±12.706 × 1.414 / √2 each; together √2 times that, of 101.
  Run(seeds(0), seeds(3), {});
  EXPECT_TRUE(Says("+3.0 % ±17.8  undecided")) << text_;
  EXPECT_TRUE(Says("operations.disks.read.latency_us.p99")) << text_;
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

TEST_F(CompareTest, AChangeWithinTheIntervalsIsNoise) {
  // The means are 20 and 21. Each half-width is 12.7062 × √2 / √2, together 12.7 × √2 = 17.97: far more
  // than 1.
  const ordered_json a = Aggregate({SummaryWith(19, 1), SummaryWith(21, 2)});
  const ordered_json b = Aggregate({SummaryWith(20, 1), SummaryWith(22, 2)});
  EXPECT_EQ(Run(a, b, 1.0), 0);
  EXPECT_TRUE(Says("undecided")) << text_;
  EXPECT_TRUE(Says("(rack, 2 seeds)")) << text_;
  EXPECT_TRUE(Says("20 ±12.71")) << text_;
}

TEST_F(CompareTest, TheSameSeedsAreComparedSeedBySeed) {
  // Seeds 1 and 2 give 10 and 20 µs in A, 11 and 21 µs in B. The means have intervals of tens of µs. The
  // difference is 1 µs for each seed: 1 / 15 = 6.67 %, with no spread.
  for (const uint64_t seed : {1u, 2u}) {
    fs::create_directories(root_ / "a" / fmt::format("seed-{}", seed));
    fs::create_directories(root_ / "b" / fmt::format("seed-{}", seed));
    WriteSummary(root_ / "a" / fmt::format("seed-{}", seed), SummaryWith(10.0 * seed, seed));
    WriteSummary(root_ / "b" / fmt::format("seed-{}", seed), SummaryWith(10.0 * seed + 1, seed));
  }
  EXPECT_EQ(Run(Aggregate({SummaryWith(10, 1), SummaryWith(20, 2)}),
                Aggregate({SummaryWith(11, 1), SummaryWith(21, 2)}), 5.0),
            1);
  EXPECT_TRUE(Says("+6.67 % ±0.00  beyond\n")) << text_;
  EXPECT_TRUE(Says("of the mean difference between results of the same seed\n")) << text_;
  // Without the seeds' own summaries the half-width is 12.7062 × 7.071 / √2 = 63.53 for each, 89.85 together:
  // more than 15.
  fs::remove_all(root_ / "b" / "seed-1");
  fs::remove_all(root_ / "b" / "seed-2");
  EXPECT_EQ(Run(Aggregate({SummaryWith(10, 1), SummaryWith(20, 2)}),
                Aggregate({SummaryWith(11, 1), SummaryWith(21, 2)}), 5.0),
            0);
  EXPECT_TRUE(Says("+6.67 % ±?  undecided\n")) << text_;
}

TEST_F(CompareTest, TheVerdictSaysWhatIsTooSmallAndHowManySeedsWouldDecide) {
  const auto write = [&](const char* of, const std::vector<double>& p99) {
    std::vector<ordered_json> all;
    for (uint64_t seed = 1; seed <= p99.size(); ++seed) {
      all.push_back(SummaryWith(p99[seed - 1], seed));
      fs::create_directories(root_ / of / fmt::format("seed-{}", seed));
      WriteSummary(root_ / of / fmt::format("seed-{}", seed), all.back());
    }
    return Aggregate(all);
  };
  // Each seed is 1 % higher.
  Run(write("a", {100, 200, 300}), write("b", {101, 202, 303}), {});
  EXPECT_TRUE(Says("no difference larger than 3 %")) << text_;
  // The differences are 30, 0 and 60 of 200: 15 %, s = 30, so ±4.30 × 30 / √3 = 74.5; seven seeds have 2.45 ×
  // 30 / √7 = 27.7.
  Run(write("a", {100, 200, 300}), write("b", {130, 200, 360}), {});
  EXPECT_TRUE(Says("+15.0 % ±37.3  undecided: 4 more seeds would decide")) << text_;
}

TEST_F(CompareTest, AResultOfWhichOneSeedIsGoneIsRefused) {
  fs::create_directories(root_ / "a" / "seed-1");
  WriteSummary(root_ / "a" / "seed-1", SummaryWith(10, 1));
  try {
    Run(Aggregate({SummaryWith(10, 1), SummaryWith(20, 2)}), SummaryWith(11, 1), {});
    FAIL() << text_;
  } catch (const ResultError& error) {
    EXPECT_NE(std::string(error.what()).find("seed-2/summary.json is missing, but "), std::string::npos)
        << error.what();
  }
}

TEST_F(CompareTest, OneRunBesideSeveralVariesAsTheyDo) {
  // 19, 20 and 21: s = 1, t = 4.3027. So one more run is within 4.3027 × √(1 + 1/3) = 4.97 of their mean,
  // 24.8 %.
  const ordered_json several = Aggregate({SummaryWith(19, 1), SummaryWith(20, 2), SummaryWith(21, 3)});
  EXPECT_EQ(Run(several, SummaryWith(24.9, 4), 1.0), 0);
  EXPECT_TRUE(Says("+24.5 % ±24.8  undecided\n")) << text_;
  EXPECT_TRUE(Says("B is a single run, assumed to vary between seeds as much\nas A\n")) << text_;
  EXPECT_EQ(Run(several, SummaryWith(25.1, 4), 1.0), 1);
  EXPECT_EQ(Run(SummaryWith(24.9, 4), several, 1.0), 0);
  EXPECT_TRUE(Says("A is a single run")) << text_;
}

// The logarithm of the ratio has an even interval. That of the ratio itself reaches much farther up than
// down, and "±" would cover zero, which the interval excludes.
TEST_F(CompareTest, ALopsidedIntervalHasItsEnds) {
  ordered_json a = Aggregate({SummaryWith(10, 1), SummaryWith(10, 2), SummaryWith(10, 3)});
  ordered_json b = Aggregate({SummaryWith(50, 1), SummaryWith(50, 2), SummaryWith(50, 3)});
  const auto pool = [](ordered_json& of, double value, double spread) {
    of["seeds"]["pooled"]["messages"]["burst"]["completion_us"]["p99"] = {
        {"value", value},
        {"low", value},
        {"high", value},
        {"left_out", {value * std::exp(spread), value, value * std::exp(-spread)}}};
  };
  pool(a, 10, 0);
  pool(b, 50, 0.2);
  EXPECT_EQ(Run(a, b, 5.0), 1);
  EXPECT_TRUE(Says("+400.0 % (+")) << text_;
  EXPECT_FALSE(Says("+400.0 % ±")) << text_;
}

// Only a table with such an interval explains it. Two seeds 10 and 11 in A, 5 and 30 in B: the difference
// is 7, half the width 12.7 × 12 = 152, more than 10.5.
TEST_F(CompareTest, AnIntervalThatTellsNothingHasNoNumber) {
  const ordered_json a = Aggregate({SummaryWith(10, 1), SummaryWith(11, 2)});
  Run(a, Aggregate({SummaryWith(5, 1), SummaryWith(30, 2)}), {});
  EXPECT_TRUE(Says("+66.7 % ±?  undecided")) << text_;
  EXPECT_TRUE(Says("±?: the interval is wider than the value; give more seeds\n")) << text_;
  Run(a, Aggregate({SummaryWith(12, 1), SummaryWith(13, 2)}), {});
  EXPECT_FALSE(Says("±?")) << text_;
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

TEST_F(CompareTest, SaysWhatItsIntervalsAre) {
  const ordered_json a = Aggregate({SummaryWith(19, 1), SummaryWith(21, 2)});
  Run(a, Aggregate({SummaryWith(20, 1), SummaryWith(22, 3)}), {});
  EXPECT_TRUE(Says("of two means; A and B do not have\nresults of exactly the same seeds")) << text_;
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_FALSE(Says("±")) << text_;
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

TEST_F(CompareTest, TheSettingsThatDifferComeFirst) {
  const std::string common =
      "name: rack\nduration: 1ms\ntopology: {type: star}\nswitches:\n  - match: \"*\"\n    latency: 500ns\n";
  const auto write = [&](const char* dir, const std::string& more) {
    fs::create_directories(root_ / dir);
    std::ofstream(root_ / dir / "resolved.yaml") << common << more;
  };
  write("a",
        "    ecn: {storage: {kmin: 100KB, kmax: 400KB}}\nseed: 1\n"
        "workloads:\n  - {name: burst, fan_in: 8, from: [h0, h1]}\n  - {name: more, size: 1MB}\n");
  write("b",
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
TEST_F(CompareTest, AgainstASettingOfTheScenarioStandsWhatTheFileHas) {
  const std::string file = std::string(HEADROOM_SOURCE_DIR) + "/scenarios/own-switch.yaml";
  const auto write = [&](const char* dir, const std::vector<std::string>& sets) {
    fs::create_directories(root_ / dir);
    const Resolved resolved = WriteResolved(LoadScenarioFile(file, sets));
    std::ofstream(root_ / dir / "resolved.yaml") << resolved.yaml;
    for (const auto& f : resolved.files) fs::copy_file(f.from, root_ / dir / f.name);
  };
  const std::string xoff = "switches.t0.buffer.tables.BUFFER_PROFILE.pg_lossless_100000_40m_profile.xoff";
  write("a", {});
  write("b", {xoff + "=252928", "switches.t0.ecn.storage={kmin: 500KB, kmax: 2MB, pmax: 1%}"});
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
TEST_F(CompareTest, SettingsAreEqualWhereTheScenariosAre) {
  const auto write = [&](const char* dir, const ScenarioFile& file) {
    fs::create_directories(root_ / dir);
    const Resolved resolved = WriteResolved(file);
    std::ofstream(root_ / dir / "resolved.yaml") << resolved.yaml;
    for (const auto& f : resolved.files)
      fs::copy_file(f.from, root_ / dir / f.name, fs::copy_options::overwrite_existing);
  };
  int equal = 0, different = 0;
  for (uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed, {.files = false});
    const Topology& t = file.scenario.topology;
    write("a", file);
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
      write("b", *changed);
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
TEST_F(CompareTest, SettingsThatAreNotThoseOfTheRunAreNotCompared) {
  for (const char* dir : {"a", "b"}) {
    fs::create_directories(root_ / dir);
    Resolved resolved =
        WriteResolved(LoadScenarioFile(std::string(HEADROOM_SOURCE_DIR) + "/scenarios/own-switch.yaml"));
    if (*dir == 'b')
      resolved.yaml.insert(resolved.yaml.find("switches:\n") + 10,
                           "  - {match: \"*\", pfc: {watchdog: none}}\n");
    std::ofstream(root_ / dir / "resolved.yaml") << resolved.yaml;
    for (const auto& f : resolved.files) fs::copy_file(f.from, root_ / dir / f.name);
  }
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_TRUE(Says("settings are not compared: " + (root_ / "b/resolved.yaml").string() +
                   ": was written by an earlier version"))
      << text_;
}

/// One result has a separate entry for a switch. The other has an entry for all switches.
TEST_F(CompareTest, AgainstAnEntryOfItsOwnStandsWhatTheWiderOneSays) {
  const std::string text =
      "topology: {type: dumbbell, left: 1, right: 1, link: {rate: 100Gbps, length: 3m}, bottleneck: {rate: "
      "100Gbps, length: 3m}}\nswitches: [{match: \"*\", latency: 600ns}]\n"
      "workloads: [{name: p, type: permutation, size: 1KB}]\n";
  const auto write = [&](const char* dir, const std::vector<std::string>& sets) {
    fs::create_directories(root_ / dir);
    std::ofstream(root_ / dir / "resolved.yaml")
        << WriteResolved(LoadScenarioFileText(text, "own.yaml", ".", sets)).yaml;
  };
  write("a", {});
  write("b", {"switches.s1.latency=1us", "nics.l0.tx_latency=5ns",
              "switches.s1.buffer={profile: azure-24mb, alpha: 1/2, tables: {BUFFER_PROFILE: "
              "{ingress_lossless: {xon: "
              "4KB}}}}"});
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_TRUE(
      Says("setting                                                            A    B\n"
           "switches.s1.latency                                            600ns  1us\n"
           "switches.s1.buffer.alpha                                         1/8  1/2\n"
           "switches.s1.buffer.tables.BUFFER_PROFILE.ingress_lossless.xon   1248  4KB\n"
           "nics.l0.tx_latency                                               0ns  5ns\n\n"))
      << text_;
}

TEST_F(CompareTest, ASettingOfTwoSwitchesIsNamedAsSetTakesIt) {
  const auto write = [&](const char* dir, const char* latency) {
    fs::create_directories(root_ / dir);
    std::ofstream(root_ / dir / "resolved.yaml")
        << "name: rack\nduration: 1ms\ntopology: {type: star}\nworkloads: []\nswitches:\n  - match: [t0, "
           "\"u*\"]\n    latency: "
        << latency << "\n    buffer: {tables: {SCHEDULER: {scheduler.0: {weight: " << latency << "}}}}\n";
  };
  write("a", "1us");
  write("b", "2us");
  Run(SummaryWith(20), SummaryWith(21), {});
  EXPECT_TRUE(Says("switches.[t0,u*].latency ")) << text_;
  EXPECT_TRUE(Says("switches.[t0,u*].buffer.tables.SCHEDULER.\"scheduler.0\".weight ")) << text_;
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

TEST_F(CompareTest, AFolderWithoutResultIsAnError) {
  std::ostringstream out;
  EXPECT_THROW(Compare(root_ / "none", root_ / "none", {}, out), ResultError);
}

}  // namespace
}  // namespace headroom::compare_test

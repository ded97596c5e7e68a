// A network that is cut gives the same results, byte by byte, wherever it is cut.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "run/run.h"
#include "scenario/paths/cut.h"
#include "support/in_child.h"
#include "support/random_scenario.h"
#include "support/short_runs.h"
#include "support/test_folder.h"
#include "support/text_file.h"

namespace headroom::parts_test {
namespace {

namespace fs = std::filesystem;

/// Each node in any part. Every part has a node.
std::vector<int> RandomCut(size_t nodes, int parts, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> of(nodes);
  for (size_t n = 0; n < nodes; ++n)
    of[n] = static_cast<int>(n < static_cast<size_t>(parts) ? n : random() % static_cast<uint64_t>(parts));
  std::shuffle(of.begin(), of.end(), random);
  return of;
}

/// All files of the result, or "" where the run ended early.
std::string FilesOf(const ScenarioFile& file, const std::vector<int>& parts, const fs::path& folder) {
  return TextFromChild([&] {
    constexpr uint64_t kMost = 300'000;
    RunOptions options;
    options.parts = parts;
    options.progress_every = kMost;
    options.on_progress = [](const Progress&) { return false; };
    RunRecord record = headroom::Run(file.scenario, options);
    if (record.status == RunStatus::interrupted) return std::string();
    WriteRun(file, record, folder);
    const ResultDigest digest = DigestOfResult(folder);
    return digest.numbers + " " + digest.words;
  });
}

/// By name.
std::string DifferingFiles(const fs::path& one, const fs::path& other) {
  std::string names;
  for (const auto& entry : fs::directory_iterator(one)) {
    const fs::path file = other / entry.path().filename();
    const bool same = fs::exists(file) && ReadTextFile(file) == ReadTextFile(entry.path());
    if (!same && entry.is_regular_file()) names += entry.path().filename().string() + " ";
  }
  return names;
}

TEST(Parts, OfRandomScenariosGiveTheSameFiles) {
  const TestFolder folder;
  RandomScenarioKinds kinds;
  kinds.services = false;
  constexpr uint64_t kScenarios = 48;
  int compared = 0;
  for (uint64_t seed = 1; seed <= kScenarios; ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed, kinds);
    if (WhyNotCut(file.scenario)) continue;
    const size_t nodes = file.scenario.topology.nodes.size();
    const std::string whole = FilesOf(file, {}, folder / fmt::format("{}-whole", seed));
    if (whole.empty()) continue;
    for (const int parts : {2, 3, 8}) {
      if (nodes < static_cast<size_t>(parts)) continue;
      ++compared;
      const fs::path cut = folder / fmt::format("{}-{}", seed, parts);
      if (FilesOf(file, RandomCut(nodes, parts, seed), cut) != whole)
        ADD_FAILURE() << "seed " << seed << " in " << parts
                      << " parts: " << DifferingFiles(folder / fmt::format("{}-whole", seed), cut);
    }
  }
  EXPECT_GE(compared, 40);
}

TEST(Parts, CountTheWorkOfProcesses) {
  RandomScenarioKinds kinds;
  kinds.services = false;
  for (uint64_t seed = 101; seed <= 112; ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed, kinds);
    const size_t nodes = file.scenario.topology.nodes.size();
    if (WhyNotCut(file.scenario) || nodes < 8) continue;
    for (const int ranks : {2, 3, 8}) {
      const std::string wrong = TextFromChild([&] {
        RunOptions options;
        options.parts = RandomCut(nodes, 8, seed);
        options.estimate_ranks = ranks;
        options.progress_every = 300'000;
        options.on_progress = [](const Progress&) { return false; };
        const RunRecord record = headroom::Run(file.scenario, options);
        const WindowWork::Totals& work = record.work.value();
        // Each event is counted once. No process runs more than all, and one runs at least its share.
        const bool ok = work.events == record.events && work.slowest <= work.events &&
                        work.slowest * static_cast<uint64_t>(ranks) >= work.events &&
                        work.windows <= work.events;
        return ok ? std::string()
                  : fmt::format("{} of {} events, slowest {}", work.events, record.events, work.slowest);
      });
      EXPECT_EQ(wrong, "") << "seed " << seed << ", " << ranks << " processes";
    }
  }
}

TEST(Parts, OfAFatTreeAreEvenAndKeepRacksWhole) {
  const Topology topology = LoadScenario(HEADROOM_SOURCE_DIR "/bench/scenarios/fat-tree-1024.yaml").topology;
  const auto cut = CutInto(topology, 8);
  ASSERT_TRUE(cut);
  for (int part = 0; part < 8; ++part)
    EXPECT_NEAR(static_cast<double>(std::ranges::count(*cut, part)), topology.nodes.size() / 8.0, 20) << part;
  for (const TopologyLink& l : topology.links) {
    if (std::min(l.a.node, l.b.node) >= topology.hosts) continue;
    EXPECT_EQ((*cut)[l.a.node], (*cut)[l.b.node]);
  }
}

TEST(Parts, OfServicesAreRefusedByName) {
  const Scenario scenario = LoadScenario(HEADROOM_SOURCE_DIR "/bench/scenarios/io.yaml");
  EXPECT_TRUE(PartsOf(scenario, kAutoParts).empty());
  try {
    PartsOf(scenario, 2);
    ADD_FAILURE() << "not refused";
  } catch (const std::invalid_argument& e) {
    EXPECT_EQ(std::string(e.what()),
              scenario.file + ": services cannot be run in 2 parts yet; allowed: --parts 1 or auto");
  }
}

}  // namespace
}  // namespace headroom::parts_test

// A network that several processes run gives the same files as in one process.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "run/run.h"
#include "scenario/paths/cut.h"
#include "support/fewer.h"
#include "support/in_child.h"
#include "support/random_scenario.h"
#include "support/rank_processes.h"
#include "support/short_runs.h"
#include "support/test_folder.h"
#include "support/text_file.h"

namespace headroom::ranks_test {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostEvents = 200'000;

/// Each node in any part. Every part has a node.
std::vector<int> AnyCut(size_t nodes, int parts, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> of(nodes);
  for (size_t n = 0; n < nodes; ++n)
    of[n] = static_cast<int>(n < static_cast<size_t>(parts) ? n : random() % static_cast<uint64_t>(parts));
  std::shuffle(of.begin(), of.end(), random);
  return of;
}

/// The digest of all files, or "" where the run ended early.
std::string Run(const ScenarioFile& file, const RunOptions& options, const fs::path& folder) {
  RunRecord record = headroom::Run(file.scenario, options);
  if (options.exchange != nullptr && options.exchange->rank() > 0) return {};
  if (record.status == RunStatus::interrupted) return {};
  WriteRun(file, record, folder);
  const ResultDigest digest = DigestOfResult(folder);
  return digest.numbers + " " + digest.words;
}

/// Runs the scenario in one process. A run that takes long is cut short.
std::string InOneProcess(const ScenarioFile& file, const fs::path& folder) {
  return TextFromChild([&] {
    RunOptions options;
    options.progress_every = kMostEvents;
    options.on_progress = [](const Progress&) { return false; };
    return Run(file, options, folder);
  });
}

std::string InRanks(const ScenarioFile& file, const std::vector<int>& parts, int ranks,
                    const fs::path& folder) {
  return TextFromRanks(ranks, [&](Exchange& exchange) {
    RunOptions options;
    options.parts = parts;
    options.exchange = &exchange;
    return Run(file, options, folder);
  });
}

/// By name.
std::string Differing(const fs::path& one, const fs::path& other) {
  std::string names;
  for (const auto& entry : fs::directory_iterator(one)) {
    const fs::path file = other / entry.path().filename();
    const bool same = fs::exists(file) && ReadTextFile(file) == ReadTextFile(entry.path());
    if (!same && entry.is_regular_file()) names += entry.path().filename().string() + " ";
  }
  return names;
}

TEST(Ranks, OfRandomScenariosGiveTheSameFiles) {
  const TestFolder folder;
  RandomScenarioKinds kinds;
  kinds.services = false;
  constexpr uint64_t kScenarios = FewerIfSanitized(60);
  int compared = 0;
  for (uint64_t seed = 1; seed <= kScenarios; ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed, kinds);
    const size_t nodes = file.scenario.topology.nodes.size();
    if (WhyNotRanks(file.scenario) || nodes < 3) continue;
    const fs::path whole_folder = folder / fmt::format("{}-whole", seed);
    const std::string whole = InOneProcess(file, whole_folder);
    if (whole.empty()) continue;
    for (const int ranks : {2, 3}) {
      ++compared;
      const int parts = std::min(static_cast<int>(nodes), ranks + static_cast<int>(seed % 3));
      const fs::path ranks_folder = folder / fmt::format("{}-{}", seed, ranks);
      if (InRanks(file, AnyCut(nodes, parts, seed), ranks, ranks_folder) != whole)
        ADD_FAILURE() << "seed " << seed << " in " << ranks
                      << " ranks: " << Differing(whole_folder, ranks_folder);
    }
  }
  EXPECT_GE(compared, LeastOf(40));
}

TEST(Ranks, AnInterruptOfOneEndsAll) {
  const ScenarioFile file = LoadRandomScenario(1, {.services = false, .faults = false});
  const std::string status = TextFromRanks(2, [&](Exchange& exchange) {
    RunOptions options;
    options.parts = AnyCut(file.scenario.topology.nodes.size(), 2, 1);
    options.exchange = &exchange;
    options.progress_every = 1;
    options.on_progress = [&](const Progress&) { return exchange.rank() != 1; };
    return std::string(RunStatusName(headroom::Run(file.scenario, options).status));
  });
  EXPECT_EQ(status, "interrupted");
}

}  // namespace
}  // namespace headroom::ranks_test

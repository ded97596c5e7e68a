// A network that several processes run gives the same files as in one process.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "run/run.h"
#include "scenario/paths/cut.h"
#include "support/fewer.h"
#include "support/in_child.h"
#include "support/random_cut.h"
#include "support/random_scenario.h"
#include "support/rank_processes.h"
#include "support/short_runs.h"
#include "support/streamed.h"
#include "support/test_folder.h"
#include "support/time_of_event.h"

namespace headroom::ranks_test {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostEvents = 200'000;

/// The digest of all files, or "" where the run ended early.
std::string Run(const ScenarioFile& file, RunOptions options, const fs::path& folder) {
  options.ended = EndedFor(file.scenario, folder.string() + "-stream", options.exchange);
  RunRecord record = headroom::Run(file.scenario, options);
  if (options.exchange != nullptr && options.exchange->rank() > 0) return {};
  if (record.status == RunStatus::interrupted) return {};
  WriteRun(file, record, folder);
  const ResultDigest digest = DigestOfResult(folder);
  return digest.numbers + " " + digest.words;
}

/// Runs the scenario in one process. A run that takes long is cut short.
std::string InOneProcess(const ScenarioFile& file, const fs::path& folder, uint64_t most = kMostEvents) {
  return TextFromChild([&] {
    RunOptions options;
    options.progress_every = most;
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

/// Returns the number of runs in ranks that were compared with a run in one process.
int CompareRandomScenarios(uint64_t scenarios, const std::function<ScenarioFile(uint64_t seed)>& load) {
  const TestFolder folder;
  int compared = 0;
  for (uint64_t seed = 1; seed <= FewerIfSanitized(MoreIfLong(scenarios)); ++seed) {
    const ScenarioFile file = load(seed);
    if (WhyNotCut(file.scenario)) continue;
    const fs::path whole_folder = folder / fmt::format("{}-whole", seed);
    const std::string whole = InOneProcess(file, whole_folder);
    if (whole.empty()) continue;
    for (const int ranks : {2, 3}) {
      const int parts = ranks + static_cast<int>(seed % 3);
      const std::vector<int> cut =
          RandomCut(file.scenario.topology, HostsOfFirstRank(file.scenario, false), parts, seed);
      if (cut.empty()) continue;
      ++compared;
      const fs::path ranks_folder = folder / fmt::format("{}-{}", seed, ranks);
      if (InRanks(file, cut, ranks, ranks_folder) != whole)
        ADD_FAILURE() << "seed " << seed << " in " << ranks
                      << " ranks: " << DifferingFiles(whole_folder, ranks_folder);
    }
  }
  return compared;
}

TEST(Ranks, OfRandomScenariosGiveTheSameFiles) {
  RandomScenarioKinds kinds;
  kinds.services = false;
  const auto load = [&](uint64_t seed) { return LoadRandomScenario(seed, kinds); };
  EXPECT_GE(CompareRandomScenarios(48, load), LeastOf(60));
}

TEST(Ranks, OfRandomServicesGiveTheSameFiles) {
  const auto load = [](uint64_t seed) { return LoadRandomScenario(seed); };
  EXPECT_GE(CompareRandomScenarios(32, load), LeastOf(30));
}

TEST(Ranks, OfStreamedResultsGiveTheSameFiles) {
  const auto load = [](uint64_t seed) {
    RandomScenarioKinds kinds;
    kinds.services = seed % 3 == 0;
    return LoadRandomScenarioFor("stream", 300 + seed, kinds);
  };
  EXPECT_GE(CompareRandomScenarios(36, load), LeastOf(30));
}

/// Ranks without a server of a storage service wait with the others until its servers are connected, which
/// takes longer than the service's first look.
TEST(Ranks, OfWhichOneHasAllServersGiveTheSameFiles) {
  const TestFolder folder;
  for (const std::string datacenter : {"dc0", "dc1"}) {
    const std::string servers = "['" + datacenter + "-c1-*']";
    const ScenarioFile file =
        LoadScenarioFile(fs::path(HEADROOM_SOURCE_DIR) / "scenarios/region.yaml",
                         {"warmup=0us", "duration=3ms", "services.store.front_ends=" + servers,
                          "services.store.partition_servers=" + servers,
                          "services.store.placement.across=datacenter", "workloads.disks.rate=500"});
    const std::string whole = InOneProcess(file, folder / (datacenter + "-whole"), UINT64_MAX);
    const std::vector<int> by_datacenter = PartsOfRanks(file.scenario, 1, 2);
    EXPECT_EQ(InRanks(file, by_datacenter, 2, folder / datacenter), whole)
        << DifferingFiles(folder / (datacenter + "-whole"), folder / datacenter);
  }
}

/// In the last window before the deadline, one rank has finished all its I/Os, and the other has not.
TEST(Ranks, WithWorkLeftAtTheDeadlineGiveTheSameFiles) {
  const TestFolder folder;
  const fs::path path = fs::path(HEADROOM_SOURCE_DIR) / "scenarios/causes/nothing/flash-tail.yaml";
  for (uint64_t event = 59'994; event <= 60'000; event += 2) {
    const Time at = TimeOfEvent(event, LoadScenarioFile(path).scenario);
    const std::string deadline = fmt::format("{}ns", static_cast<double>(at.v) / 1e3);
    const ScenarioFile file = LoadScenarioFile(path, {"deadline=" + deadline});
    const std::string whole = InOneProcess(file, folder / fmt::format("{}-whole", event));
    const std::vector<int> cut = RandomCut(file.scenario.topology, {}, 3, 2);
    const std::string name = std::to_string(event);
    EXPECT_EQ(InRanks(file, cut, 2, folder / name), whole)
        << "deadline " << deadline << ": " << DifferingFiles(folder / (name + "-whole"), folder / name);
  }
}

TEST(Ranks, AnInterruptOfOneEndsAll) {
  const ScenarioFile file = LoadRandomScenario(1, {.services = false, .faults = false});
  const std::string status = TextFromRanks(2, [&](Exchange& exchange) {
    RunOptions options;
    options.parts = RandomCut(file.scenario.topology, {}, 2, 1);
    options.exchange = &exchange;
    options.progress_every = 1;
    options.on_progress = [&](const Progress&) { return exchange.rank() != 1; };
    return std::string(RunStatusName(headroom::Run(file.scenario, options).status));
  });
  EXPECT_EQ(status, "interrupted");
}

}  // namespace
}  // namespace headroom::ranks_test

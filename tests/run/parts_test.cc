// A network that is cut gives the same results, byte by byte, wherever it is cut.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "run/run.h"
#include "scenario/paths/cut.h"
#include "support/fewer.h"
#include "support/in_child.h"
#include "support/random_cut.h"
#include "support/random_scenario.h"
#include "support/short_runs.h"
#include "support/streamed.h"
#include "support/test_folder.h"
#include "support/time_of_event.h"

namespace headroom::parts_test {
namespace {

namespace fs = std::filesystem;

/// All files of the result, or "" where the run ended early.
std::string FilesOf(const ScenarioFile& file, const std::vector<int>& parts, const fs::path& folder) {
  return TextFromChild([&] {
    constexpr uint64_t kMost = 300'000;
    RunOptions options;
    options.parts = parts;
    options.progress_every = kMost;
    options.on_progress = [](const Progress&) { return false; };
    options.ended = EndedFor(file.scenario, folder.string() + "-stream");
    RunRecord record = headroom::Run(file.scenario, options);
    if (record.status == RunStatus::interrupted) return std::string();
    WriteRun(file, record, folder);
    const ResultDigest digest = DigestOfResult(folder);
    return digest.numbers + " " + digest.words;
  });
}

/// Returns the number of cut runs of a random scenario that were compared with a run in one part.
int CompareRandomCuts(const ScenarioFile& file, uint64_t seed, const std::vector<int>& parts) {
  if (WhyNotCut(file.scenario)) return 0;
  const TestFolder folder;
  const std::string whole = FilesOf(file, {}, folder / "whole");
  if (whole.empty()) return 0;
  int compared = 0;
  for (const int several : parts) {
    const std::vector<int> cut =
        RandomCut(file.scenario.topology, HostsTogether(file.scenario), several, seed);
    if (cut.empty()) continue;
    ++compared;
    const fs::path to = folder / std::to_string(several);
    if (FilesOf(file, cut, to) != whole)
      ADD_FAILURE() << "seed " << seed << " in " << several
                    << " parts: " << DifferingFiles(folder / "whole", to);
  }
  return compared;
}

/// The same for scenarios with seeds from 1 on.
int CompareRandomCuts(const RandomScenarioKinds& kinds, uint64_t scenarios, const std::vector<int>& parts) {
  int compared = 0;
  for (uint64_t seed = 1; seed <= FewerIfSanitized(MoreIfLong(scenarios)); ++seed)
    compared += CompareRandomCuts(LoadRandomScenario(seed, kinds), seed, parts);
  return compared;
}

TEST(Parts, CountTheWorkOfProcesses) {
  RandomScenarioKinds kinds;
  kinds.services = false;
  for (uint64_t seed = 101; seed <= 112; ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed, kinds);
    if (WhyNotCut(file.scenario)) continue;
    const std::vector<int> cut = RandomCut(file.scenario.topology, HostsTogether(file.scenario), 8, seed);
    if (cut.empty()) continue;
    for (const int ranks : {2, 3, 8}) {
      const std::string wrong = TextFromChild([&] {
        RunOptions options;
        options.parts = cut;
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

TEST(Parts, OfRandomScenariosGiveTheSameFiles) {
  RandomScenarioKinds kinds;
  kinds.services = false;
  EXPECT_GE(CompareRandomCuts(kinds, 48, {2, 3, 8}), LeastOf(40));
}

TEST(Parts, OfRandomServicesGiveTheSameFiles) {
  RandomScenarioKinds kinds;
  kinds.messages = false;
  EXPECT_GE(CompareRandomCuts(kinds, 48, {2, 5}), LeastOf(40));
}

TEST(Parts, OfFramesThatArriveTogetherGiveTheSameFiles) {
  // Each frame takes some picoseconds and is delayed by 0 to 1 ns, so many arrive at the same picosecond.
  const ScenarioFile file = LoadScenarioFileText(
      "topology: {type: star, hosts: 3, link: {rate: 100Tbps, length: 100m, reorder: {probability: 100%, "
      "delay: "
      "0ns..1ns}}}\n"
      "nics: [{match: \"*\", congestion_control: none, transport: {recovery: selective_repeat}}]\n"
      "workloads: [{name: a, type: incast, size: 100KB, to: h0}]\nseed: 188\nduration: 300us\n",
      "reorder.yaml", ".");
  for (uint64_t seed = 1; seed <= 3; ++seed) EXPECT_GE(CompareRandomCuts(file, seed, {2, 3}), 1);
}

TEST(Parts, OfReadsThatEndByResponsesToOthersGiveTheSameFiles) {
  // Without the messages' numbers, late responses to a READ count for the next one in its context.
  const ScenarioFile file = LoadScenarioFileText(
      "duration: 300us\n"
      "topology: {type: star, hosts: 3, link: {rate: 10Gbps, length: 25m}}\n"
      "nics: [{match: \"*\", transport: {recovery: {type: receiver_window, message_id: false}}, resources: "
      "connectx3-pcie3-x8}]\n"
      "workloads: [{name: w0, type: incast, size: 300KB, to: h0}, {name: w2, type: poisson, sizes: 4KB, "
      "load: "
      "40%, verb: read}]\n",
      "reads.yaml", ".");
  for (uint64_t seed = 1; seed <= 3; ++seed) EXPECT_GE(CompareRandomCuts(file, seed, {2, 3}), 1);
}

TEST(Parts, OfReadsThatEndBeforeTheirRequestsLeaveGiveTheSameFiles) {
  // Requests wait in the NIC behind data. A short timer repeats a request, and a late response, or one to
  // another READ, ends the READ before that request leaves.
  for (const std::string recovery : {"timer: 30us", "timer: 12us, message_id: false"}) {
    const ScenarioFile file = LoadScenarioFileText(
        "duration: 1ms\ndeadline: 20ms\nseed: 1\nmtu: 1024\n"
        "topology: {type: star, hosts: 3, link: {rate: 10Gbps, length: 25m, reorder: {probability: 30%, "
        "delay: 0ns..3us}}}\n"
        "nics: [{match: \"*\", transport: {recovery: {type: receiver_window, " +
            recovery +
            "}}, resources: connectx3-pcie3-x8}]\n"
            "workloads: [{name: w0, type: incast, size: 300KB, to: h0}, {name: w2, type: poisson, sizes: "
            "4KB, load: 40%, verb: read}]\n",
        "reads.yaml", ".");
    for (uint64_t seed = 1; seed <= 3; ++seed) EXPECT_GE(CompareRandomCuts(file, seed, {2, 3}), 1);
  }
}

TEST(Parts, OfStreamedResultsGiveTheSameFiles) {
  int compared = 0;
  for (uint64_t seed = 201; seed < 201 + FewerIfSanitized(MoreIfLong(24)); ++seed)
    compared += CompareRandomCuts(LoadRandomScenarioFor("stream", seed), seed, {2, 5});
  EXPECT_GE(compared, LeastOf(20));
}

TEST(Parts, OfMessagesAndServicesGiveTheSameFiles) { EXPECT_GE(CompareRandomCuts({}, 24, {3}), LeastOf(10)); }

TEST(Parts, OfServicesOnAllPartsGiveTheSameFiles) {
  int compared = 0;
  for (uint64_t seed = 1; compared < static_cast<int>(FewerIfSanitized(40)); ++seed) {
    ASSERT_LT(seed, 1000u);
    const ScenarioFile file = LoadRandomScenario(seed);
    if (file.scenario.services.size() == 0 || !HostsTogether(file.scenario).empty()) continue;
    compared += CompareRandomCuts(file, seed, {2, 5});
  }
}

/// All files of a run that ends at this time, or earlier by itself.
std::string FilesUntil(Time deadline, const ScenarioFile& file, const std::vector<int>& parts,
                       const fs::path& folder) {
  return TextFromChild([&] {
    Scenario scenario = file.scenario;
    scenario.deadline = deadline;
    RunOptions options;
    options.parts = parts;
    RunRecord record = headroom::Run(scenario, options);
    WriteRun(file, record, folder);
    const ResultDigest digest = DigestOfResult(folder);
    return digest.numbers + " " + digest.words;
  });
}

void CompareDivided(const std::string& name, const std::vector<std::string>& sets) {
  const TestFolder folder;
  const ScenarioFile file =
      LoadScenarioFile(fs::path(HEADROOM_SOURCE_DIR) / "scenarios" / (name + ".yaml"), sets);
  ASSERT_FALSE(WhyNotCut(file.scenario));
  ASSERT_TRUE(HostsTogether(file.scenario).empty());
  const Time deadline = TimeOfEvent(kShortEvents, file.scenario);
  const std::string whole = FilesUntil(deadline, file, {}, folder / "whole");
  for (const int parts : {2, 3}) {
    const std::vector<int> cut =
        RandomCut(file.scenario.topology, HostsTogether(file.scenario), parts, static_cast<uint64_t>(parts));
    if (cut.empty()) continue;
    const fs::path to = folder / std::to_string(parts);
    EXPECT_EQ(FilesUntil(deadline, file, cut, to), whole) << DifferingFiles(folder / "whole", to);
  }
}

/// Hosts of these services may be in different parts.
struct Divided {
  const char* scenario;
  const char* change;  ///< KEY=VALUE
};
class DividedServices : public testing::TestWithParam<Divided> {};

TEST_P(DividedServices, GiveTheSameFiles) { CompareDivided(GetParam().scenario, {GetParam().change}); }

INSTANTIATE_TEST_SUITE_P(Shipped, DividedServices,
                         testing::Values(Divided{"region", "seed=2"}, Divided{"ycsb/herd", "seed=2"},
                                         Divided{"papers/herd-fig7", "observe.operations=none"},
                                         Divided{"papers/herd-fig11", "services.cache.type=pilaf"},
                                         Divided{"papers/herd-fig11", "services.cache.type=farm_var"}));

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

TEST(Parts, KeepTheHostsOfServicesTogether) {
  const Scenario scenario =
      LoadScenarioFile(HEADROOM_SOURCE_DIR "/bench/scenarios/io.yaml", {"services.store.front.protocol=tcp"})
          .scenario;
  const std::vector<NodeId> hosts = HostsTogether(scenario);
  ASSERT_FALSE(hosts.empty());
  const std::vector<int> cut = PartsOf(scenario, 2);
  ASSERT_EQ(cut.size(), scenario.topology.nodes.size());
  for (const NodeId host : hosts) EXPECT_EQ(cut[host], cut[hosts.front()]);
  EXPECT_NE(std::ranges::count(cut, 0), 0);
  EXPECT_NE(std::ranges::count(cut, 1), 0);
  EXPECT_TRUE(PartsOf(scenario, kAutoParts).empty());
}

}  // namespace
}  // namespace headroom::parts_test

// The fast proof that buffers cannot wait in a cycle, against the search through all paths.
#include "analysis/bounds/dependency/turn_order.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "analysis/bounds/dependency/buffer_dependency.h"
#include "analysis/scenario_of.h"
#include "scenario/read/load.h"
#include "support/random_scenario.h"
#include "support/short_runs.h"

namespace headroom::turn_order_test {
namespace {

std::vector<uint32_t> Links(const Fabric& fabric, const std::vector<PathHop>& cycle) {
  std::vector<uint32_t> links;
  for (const PathHop& hop : cycle) links.push_back(fabric.Direction(hop));
  return links;
}

/// Returns whether the network has a cycle.
bool ExpectEqual(const Scenario& s, const std::vector<int>& down) {
  const Fabric fabric(s, down);
  const std::vector<PathHop> searched = FindBufferCycle(fabric, OneHostOfEachPlace(s.topology));
  EXPECT_EQ(Links(fabric, FindBufferCycle(fabric)), Links(fabric, searched)) << s.name;
  return !searched.empty();
}

/// Takes some links between switches away.
std::vector<int> SomeDown(const Topology& t, std::mt19937& random) {
  std::vector<int> down(t.links.size());
  for (size_t i = 0; i < down.size(); ++i) {
    if (t.links[i].a.node >= t.hosts && t.links[i].b.node >= t.hosts) down[i] = random() % 4 == 0;
  }
  return down;
}

TEST(TurnOrder, FindsWhatTheSearchFindsInShippedScenarios) {
  for (const std::string& name : ShippedScenarios())
    ExpectEqual(LoadScenario(std::filesystem::path(HEADROOM_SOURCE_DIR) / name), {});
}

TEST(TurnOrder, FindsWhatTheSearchFindsInRandomScenariosAndWithLinksDown) {
  std::mt19937 random(11);
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const ScenarioFile file = LoadRandomScenario(seed);
    ExpectEqual(file.scenario, {});
    for (int i = 0; i < 3; ++i) ExpectEqual(file.scenario, SomeDown(file.scenario.topology, random));
  }
}

/// Random graphs of switches, most of them with cycles.
TEST(TurnOrder, FindsWhatTheSearchFindsInRandomGraphs) {
  std::mt19937 random(5);
  int cycles = 0, rounds = 120;
  for (int round = 0; round < rounds; ++round) {
    const int n = 3 + static_cast<int>(random() % 7);
    std::string hosts, switches, links;
    const auto link = [&links](const std::string& a, const std::string& b) {
      links += "    - {ends: [" + a + ", " + b + "], rate: 100Gbps, length: 3m}\n";
    };
    for (int i = 0; i < n; ++i) {
      const std::string number = std::to_string(i);
      hosts += (i == 0 ? "h" : ", h") + number;
      switches += (i == 0 ? "s" : ", s") + number;
      link("h" + number, "s" + number);
      if (i > 0) link("s" + number, "s" + std::to_string(random() % static_cast<unsigned>(i)));
    }
    for (int more = static_cast<int>(random() % 6); more > 0; --more) {
      const auto a = static_cast<int>(random() % static_cast<unsigned>(n));
      link("s" + std::to_string(a), "s" + std::to_string((a + 1) % n));
    }
    const Scenario s = ScenarioOf("name: d\nduration: 1ms\ntopology:\n  type: custom\n  hosts: [" + hosts +
                                  "]\n  switches: [" + switches + "]\n  links:\n" + links +
                                  "workloads: [{name: w, type: permutation, size: 1KB}]\n");
    cycles += ExpectEqual(s, {});
  }
  EXPECT_GT(cycles, rounds / 10);
  EXPECT_LT(cycles, rounds * 9 / 10);
}

TEST(TurnOrder, ProvesThatTreesHaveNoCycle) {
  for (const char* const topology :
       {"{type: fat_tree, k: 8, link: {rate: 100Gbps, length: 3m}}",
        "{type: leaf_spine, leaves: 6, spines: 4, hosts_per_leaf: 5, host_link: {rate: 100Gbps, length: 3m}, "
        "fabric_link: {rate: 100Gbps, length: 3m}}"}) {
    const Scenario s = ScenarioOf(std::string("name: d\nduration: 1ms\ntopology: ") + topology +
                                  "\nworkloads: [{name: w, type: permutation, size: 1KB}]\n");
    const Fabric fabric(s);
    EXPECT_TRUE(CannotWaitInCycle(fabric, OneHostOfEachPlace(s.topology))) << topology;
  }
}

}  // namespace
}  // namespace headroom::turn_order_test

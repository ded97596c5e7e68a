// The seeds of switches' hashes: drawn from the run's seed, fixed, or numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "scenario/paths/flow_paths.h"
#include "scenario/read/load.h"
#include "support/path_of.h"

namespace headroom::ecmp_seeds_test {
namespace {

Scenario Load(const std::string& routing, const std::string& workloads, uint64_t seed = 1) {
  return LoadScenarioText(
      fmt::format("seed: {}\nduration: 1ms\n"
                  "topology: {{type: leaf_spine, leaves: 2, spines: 8, hosts_per_leaf: 8, "
                  "host_link: {{rate: 100Gbps, length: 3m}}, "
                  "fabric_link: {{rate: 100Gbps, length: 30m}}}}\n"
                  "switches: [{{match: \"*\", routing: {}}}]\nworkloads: [{}]\n",
                  seed, routing, workloads),
      "hashes.yaml", ".");
}

constexpr const char* kSome = "{name: w, type: incast, size: 1KB, to: h0}";

/// Of one flow from each host of the first leaf: the number on the fullest of eight uplinks.
int Fullest(const Scenario& s, const std::vector<RouteTable>& routes) {
  std::map<uint32_t, int> flows;
  for (NodeId host = 0; host < 8; ++host) ++flows[PathOf(s, routes, host, host + 8, 49152 + host)[1].link];
  return std::ranges::max_element(flows, {}, [](const auto& f) { return f.second; })->second;
}

TEST(EcmpSeeds, OfRunsSpreadFlowsAsBallsFallIntoBins) {
  // Eight balls in eight bins: the fullest has 2 with probability 50 %, 3 with 41 %, 4 with 8 %.
  Scenario s = Load("ecmp", kSome);
  const std::vector<RouteTable> routes = RoutesOf(s);
  std::map<int, int> times;
  constexpr int kRuns = 4000;
  for (s.seed = 1; s.seed <= kRuns; ++s.seed) ++times[Fullest(s, routes)];
  EXPECT_NEAR(times[2], 0.50 * kRuns, 0.03 * kRuns);
  EXPECT_NEAR(times[3], 0.41 * kRuns, 0.03 * kRuns);
  EXPECT_NEAR(times[4], 0.08 * kRuns, 0.02 * kRuns);
}

TEST(EcmpSeeds, ThatAreFixedDoNotDependOnTheRun) {
  const Scenario one = Load("{hash_seed: fixed}", kSome, 1),
                 two = Load("{type: ecmp, hash_seed: fixed}", kSome, 2);
  EXPECT_EQ(EcmpSeedsOf(one), EcmpSeedsOf(two));
  EXPECT_EQ(EcmpSeedOf(one, one.topology.hosts), EcmpSeed("leaf0"));
  EXPECT_NE(EcmpSeedsOf(Load("ecmp", kSome, 1)), EcmpSeedsOf(Load("ecmp", kSome, 2)));
}

TEST(EcmpSeeds, OfEqualNumbersAreEqual) {
  const Scenario s = Load("{hash_seed: 17}", kSome);
  const std::vector<uint32_t> seeds = EcmpSeedsOf(s);
  EXPECT_EQ(seeds[s.topology.hosts], seeds[s.topology.hosts + 1]);
  EXPECT_NE(seeds, EcmpSeedsOf(Load("{hash_seed: 18}", kSome)));
}

TEST(EcmpSeeds, AreRefusedWhereNothingHashes) {
  for (const char* routing : {"{type: spray, hash_seed: fixed}", "{type: adaptive, hash_seed: 3}"}) {
    try {
      Load(routing, kSome);
      ADD_FAILURE() << routing;
    } catch (const ScenarioError& error) {
      EXPECT_NE(std::string(error.what()).find("only ecmp and dimension_order hash"), std::string::npos);
    }
  }
  EXPECT_THROW(Load("{hash_seed: -1}", kSome), ScenarioError);
  EXPECT_THROW(Load("{hash_seed: random}", kSome), ScenarioError);
}

}  // namespace
}  // namespace headroom::ecmp_seeds_test

// The generator of random scenarios: its texts are valid, and it omits no kind.
#include "support/random_scenario.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

namespace headroom::random_scenario_test {
namespace {

std::vector<std::string> Split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

/// The number of texts that contain `key: word`, by "key word".
void Count(const std::string& text, const std::string& key, std::map<std::string, int>& seen) {
  std::set<std::string> words;
  for (size_t at = 0; (at = text.find(key + ": ", at)) != std::string::npos;) {
    at += key.size() + 2;
    words.insert(text.substr(at, text.find_first_of(",}/-\n", at) - at));
  }
  for (const std::string& word : words) ++seen[key + " " + word];
}

TEST(RandomScenario, IsValidAndOfEveryKind) {
  const std::map<std::string, std::string> kinds = {
      {"type",
       "star dumbbell leaf_spine fat_tree torus custom region hpcc storage herd pilaf farm farm_var echo "
       "rdmavisor queue_pairs locked poisson incast stream list permutation verbs io fio trace kv ycsb "
       "transfers mark loss pause_storm macsec port_blocked slow_receiver link_down link_speed corrupt "
       "extent_node_down nic_restart warm_restart"},
      {"protocol", "sk_rdma su_rdma tcp"},
      {"sonic", "tests scenarios"},
      {"generation", "gen1 gen2 gen3 hpcc"},
      {"congestion_control", "none dcqcn"},
      {"verb", "write send read auto"},
      {"transport", "rc uc ud"}};
  const std::vector<std::string> words = Split(
      "lossless: false|ecn: none|ecn: {|watchdog: {|watchdog: none|rx_buffer: {|resources: |erasure: |"
      "back: {|failover: |tables: true|cycles_per_message|cycles_per_byte_sent|cycles_per_request|"
      "depth: |rate: |BUFFER_POOL|qp: per_message|register: true|match: \"*\"|match: [|loss: |:up2|weight: "
      "|reorder: |"
      "routing: spray|routing: adaptive|routing: dimension_order|routing: {type: flowlet",
      '|');
  std::map<std::string, int> seen;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string text = RandomScenarioText(seed);
    SCOPED_TRACE(text);
    ASSERT_NO_THROW(LoadRandomScenario(seed));
    for (const auto& [key, values] : kinds) Count(text, key, seen);
    for (const std::string& word : words) seen[word] += text.find(word) != std::string::npos;
  }
  for (const auto& [key, values] : kinds)
    for (const std::string& value : Split(values, ' '))
      EXPECT_GE(seen[key + " " + value], 2) << key << ": " << value;
  for (const std::string& word : words) EXPECT_GE(seen[word], 2) << word;
}

TEST(RandomScenario, HasNothingOfAKindThatIsNotAskedFor) {
  RandomScenarioKinds few;
  few.services = few.faults = few.sonic = few.files = few.hosts = few.observations = false;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const std::string text = RandomScenarioText(seed, few);
    SCOPED_TRACE(text);
    ASSERT_NO_THROW(LoadRandomScenario(seed, few));
    for (const char* word : {"services", "faults", "loss:", "sonic", ", file: ", "hosts:\n", "observe"})
      EXPECT_EQ(text.find(word), std::string::npos) << word;
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace headroom::random_scenario_test

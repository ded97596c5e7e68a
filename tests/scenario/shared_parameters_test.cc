// Hosts and switches with equal keys share their parameters, whatever the size of the network.
#include <gtest/gtest.h>

#include <set>

#include "scenario/read/load.h"

namespace headroom::shared_parameters_test {
namespace {

template <class T>
size_t Objects(const SharedList<T>& list) {
  std::set<const T*> objects;
  for (const T& value : list) objects.insert(&value);
  return objects.size();
}

Scenario Read(const std::string& more) {
  return LoadScenarioText(
      "topology: {type: leaf_spine, leaves: 10, spines: 2, hosts_per_leaf: 8, host_link: {rate: 100Gbps, "
      "length: 3m}, fabric_link: {rate: 100Gbps, length: 30m}}\n"
      "priorities: {storage: {priority: 3, lossless: true}, cnp: {priority: 6, lossless: false}}\n"
      "workloads: [{name: w, type: permutation, size: 1KB}]\n" +
          more,
      "m.yaml", ".");
}

TEST(SharedParameters, without_entries_one_object_serves_all) {
  const Scenario s = Read("");
  EXPECT_EQ(s.nics.size(), 80u);
  EXPECT_EQ(Objects(s.nics), 1u);
  EXPECT_EQ(Objects(s.switches), 1u);
}

TEST(SharedParameters, each_combination_of_entries_has_one_object) {
  const Scenario s = Read(
      "nics: [{match: \"*\", generation: gen2}, {match: \"h[0-9]\", tx_latency: 1us}, {match: h79, "
      "rx_latency: "
      "1us}]\n"
      "switches: [{match: \"*\", latency: 300ns}, {match: \"spine*\", latency: 1us}]\n");
  EXPECT_EQ(Objects(s.nics), 3u);
  EXPECT_EQ(s.nics[9].tx_latency, Microseconds(1));
  EXPECT_EQ(s.nics[10].tx_latency, s.nics[11].tx_latency);
  EXPECT_EQ(s.nics[79].rx_latency, Microseconds(1));
  EXPECT_EQ(Objects(s.switches), 2u);
}

}  // namespace
}  // namespace headroom::shared_parameters_test

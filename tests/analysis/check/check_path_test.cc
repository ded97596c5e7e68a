#include "analysis/check/check_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"
#include "workload/source_port.h"

namespace headroom::check_path_test {
namespace {

std::string ErrorOf(const Fabric& fabric, const std::string& from, const std::string& to) {
  try {
    CheckPath(fabric, from, to);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(CheckPath, HopsWithTheirTimes) {
  const Scenario s = StarOf(3, "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n");
  const std::vector<PathCheck> paths = CheckPath(Fabric(s), "h1", "h0");
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_EQ(paths[0].used_by, std::vector<std::string>{"w, queue pair 0"});
  EXPECT_EQ(paths[0].source_port, SourcePort("w", "h1", "h0", 0));
  ASSERT_EQ(paths[0].steps.size(), 2u);
  const PathStep &first = paths[0].steps[0], &second = paths[0].steps[1];
  EXPECT_EQ(first.from + ":" + first.from_port + " " + first.to + ":" + first.to_port, "h1:p0 s0:p1");
  EXPECT_EQ(second.from + ":" + second.from_port + " " + second.to + ":" + second.to_port, "s0:p0 h0:p0");
  // 1122 B take 89.76 ns, the cable takes 25 ns, the switch 500 ns.
  EXPECT_EQ(first.arrival, Picoseconds(114'760));
  EXPECT_EQ(second.arrival, Picoseconds(2 * 114'760 + 500'000));
  EXPECT_EQ(paths[0].rtt, Picoseconds(1'293'280));
}

TEST(CheckPath, QueuePairsOnTheSameWayAreListedTogether) {
  const Scenario s = ScenarioOf(R"(
name: spines
duration: 1ms
topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 1, host_link: {rate: 100Gbps, length: 3m},
           fabric_link: {rate: 100Gbps, length: 30m}}
workloads: [{name: w, type: stream, from: h0, to: h1, message: 1MB, in_flight: 16, qp: {per_pair: 16}}]
)");
  const std::vector<PathCheck> paths = CheckPath(Fabric(s), "h0", "h1");
  ASSERT_EQ(paths.size(), 2u);  // sixteen flows all take one of two ways with a probability of 1 in 32 768
  EXPECT_EQ(paths[0].used_by.size() + paths[1].used_by.size(), 16u);
  EXPECT_NE(paths[0].steps[1].to, paths[1].steps[1].to);
  for (const PathCheck& path : paths) {
    EXPECT_EQ(path.steps[0].choices, 1u);
    EXPECT_EQ(path.steps[1].choices, 2u);
    EXPECT_EQ(path.steps[1].to, path.steps[1].choice == 1 ? "spine0" : "spine1");
  }
}

TEST(CheckPath, PacketsThatMayTakeSeveralPathsAreOneEntryWithTheirNumber) {
  // Two parallel links lead up to each of three spines, and two down: 6 × 2 ways. Weights do not repeat a
  // choice.
  const Scenario s = ScenarioOf(R"(
name: spines
duration: 1ms
topology: {type: leaf_spine, leaves: 2, spines: 3, hosts_per_leaf: 1, links_per_spine: 2,
           host_link: {rate: 100Gbps, length: 3m},
           fabric_link: [{match: "*", rate: 100Gbps, length: 30m}, {match: spine1, weight: 5}]}
switches: [{match: "*", routing: spray}]
workloads: [{name: w, type: stream, from: h0, to: h1, message: 1MB, in_flight: 16, qp: {per_pair: 16}}]
)");
  const std::vector<PathCheck> paths = CheckPath(Fabric(s), "h0", "h1");
  ASSERT_EQ(paths.size(), 1u);
  EXPECT_EQ(paths[0].used_by.size(), 16u);
  EXPECT_EQ(paths[0].paths, 12);
  ASSERT_EQ(paths[0].steps.size(), 4u);
  EXPECT_FALSE(paths[0].steps[0].any);
  EXPECT_TRUE(paths[0].steps[1].any);
  EXPECT_EQ(paths[0].steps[1].choices, 6u);
  EXPECT_EQ(paths[0].steps[2].choices, 2u);
  EXPECT_FALSE(paths[0].steps[3].any);
}

TEST(CheckPath, WithoutAWorkloadAnyFlowStandsForAll) {
  const Scenario s = StarOf(3, "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n");
  EXPECT_EQ(CheckPath(Fabric(s), "h0", "h1").at(0).used_by.at(0),
            "no workload sends on this path; the times are for a flow from UDP port 49152");
}

TEST(CheckPath, NamesWhatIsNoHost) {
  const Scenario s = StarOf(3, "workloads: [{name: w, type: incast, size: 1MB, to: h0}]\n");
  const Fabric fabric(s);
  EXPECT_EQ(ErrorOf(fabric, "h0", "h7"), "--path: there is no host \"h7\"; there are h0, h1, h2");
  EXPECT_EQ(ErrorOf(fabric, "s0", "h1"), "--path: \"s0\" is a switch, not a host");
  EXPECT_EQ(ErrorOf(fabric, "h1", "h1"), "--path: there is no path from a host to itself");
}

}  // namespace
}  // namespace headroom::check_path_test

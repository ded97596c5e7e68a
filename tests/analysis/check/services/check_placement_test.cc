// Findings about replicas and fragments that share failure domains.
#include "analysis/check/services/check_placement.h"
#include "protocol/storage/storage_parameters.h"

#include <gtest/gtest.h>

namespace headroom::check_placement_test {
namespace {

/// A datacenter with racks of two hosts, each of which has all roles.
StorageParameters Store(Topology& topology, int racks) {
  StorageParameters p;
  p.name = "store";
  p.back.emplace();
  for (int rack = 0; rack < racks; ++rack) {
    for (const char* host : {"-h0", "-h1"}) {
      p.extent_nodes.push_back(static_cast<NodeId>(topology.nodes.size()));
      topology.nodes.push_back({"r" + std::to_string(rack) + host, "host", true, {0, 0, rack}});
    }
  }
  topology.hosts = static_cast<uint32_t>(topology.nodes.size());
  p.partition_servers = p.front_ends = p.extent_nodes;
  return p;
}

TEST(CheckPlacement, says_which_have_no_domain_of_their_own) {
  Topology topology;
  StorageParameters p = Store(topology, 2);
  Findings findings;
  CheckPlacement(p, topology, findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].where, "service store");
  EXPECT_EQ(
      findings[0].what,
      "3 replicas of an extent cannot all have their own racks, seen from r0-h0; they only have distinct "
      "hosts");
  p.across = FailureDomain::host;
  findings.clear();
  CheckPlacement(p, topology, findings);
  EXPECT_TRUE(findings.empty());
}

TEST(CheckPlacement, says_nothing_where_they_have) {
  Topology topology;
  StorageParameters p = Store(topology, 8);
  Findings findings;
  CheckPlacement(p, topology, findings);
  EXPECT_TRUE(findings.empty());
  p.erasure.emplace();  // 16 fragments on 8 racks
  CheckPlacement(p, topology, findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].what.starts_with("16 fragments")) << findings[0].what;
  p.back.reset();
  findings.clear();
  CheckPlacement(p, topology, findings);
  EXPECT_TRUE(findings.empty());
}

}  // namespace
}  // namespace headroom::check_placement_test

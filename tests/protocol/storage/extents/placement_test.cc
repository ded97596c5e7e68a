// Places of extents: in distinct domains, evenly, and each independent of the others.
#include "protocol/storage/extents/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "support/in_child.h"

namespace headroom::placement_test {
namespace {

/// Datacenters with two clusters each, of `racks` racks of `hosts` hosts.
Topology Region(int datacenters, int racks, int hosts) {
  Topology t;
  for (int dc = 0; dc < datacenters; ++dc)
    for (int cluster = 0; cluster < 2; ++cluster)
      for (int rack = 0; rack < racks; ++rack)
        for (int host = 0; host < hosts; ++host)
          t.nodes.push_back({"d" + std::to_string(dc) + "c" + std::to_string(cluster) + "r" +
                                 std::to_string(rack) + "h" + std::to_string(host),
                             "host",
                             true,
                             {dc, cluster, rack}});
  t.hosts = static_cast<uint32_t>(t.nodes.size());
  return t;
}

std::vector<NodeId> AllOf(const Topology& t) {
  std::vector<NodeId> all;
  for (NodeId id = 0; id < t.hosts; ++id) all.push_back(id);
  return all;
}

/// The number of distinct domains of these nodes.
size_t Distinct(const Topology& t, const std::vector<NodeId>& nodes, FailureDomain across) {
  std::set<std::vector<int>> found;
  for (const NodeId id : nodes) {
    const Place& p = t.nodes[id].place;
    if (across == FailureDomain::host) found.insert({static_cast<int>(id)});
    if (across == FailureDomain::rack) found.insert({p.datacenter, p.cluster, p.rack});
    if (across == FailureDomain::cluster) found.insert({p.datacenter, p.cluster});
    if (across == FailureDomain::datacenter) found.insert({p.datacenter});
  }
  return found.size();
}

TEST(Placement, replicas_lie_in_distinct_domains_of_the_nearest_datacenter) {
  InChild([] {
    const Topology t = Region(3, 2, 3);
    const auto near = static_cast<NodeId>(t.hosts / 2);  // in the second datacenter
    const Placement racks("store", FailureDomain::rack, AllOf(t), t);
    const Placement datacenters("store", FailureDomain::datacenter, AllOf(t), t);
    const Placement clusters("store", FailureDomain::cluster, AllOf(t), t);
    for (uint32_t extent = 0; extent < 200; ++extent) {
      const std::vector<NodeId> nodes = racks.Of(extent, 3, near);
      ASSERT_EQ(nodes.size(), 3u);
      EXPECT_EQ(Distinct(t, nodes, FailureDomain::rack), 3u);
      for (const NodeId id : nodes) EXPECT_EQ(t.nodes[id].place.datacenter, 1);
      EXPECT_EQ(Distinct(t, datacenters.Of(extent, 3, near), FailureDomain::datacenter), 3u);
      // Two clusters have no room for three replicas: they are on distinct hosts.
      EXPECT_EQ(Distinct(t, clusters.Of(extent, 3, near), FailureDomain::host), 3u);
    }
    EXPECT_TRUE(racks.Spreads(4, near));
    EXPECT_FALSE(racks.Spreads(5, near));
    EXPECT_FALSE(clusters.Spreads(3, near));
    EXPECT_TRUE(datacenters.Spreads(3, near));
  });
}

TEST(Placement, fragments_beyond_a_datacenters_nodes_lie_elsewhere_too) {
  InChild([] {
    const Topology t = Region(2, 4, 1);  // 8 racks of one host in each datacenter
    const Placement placement("store", FailureDomain::rack, AllOf(t), t);
    EXPECT_FALSE(placement.Spreads(17, 0));
    EXPECT_TRUE(placement.Spreads(16, 0));
    const std::vector<NodeId> nodes = placement.Of(9, 16, 0);
    EXPECT_EQ(Distinct(t, nodes, FailureDomain::host), 16u);
  });
}

/// A star has neither racks nor datacenters.
TEST(Placement, without_levels_each_host_is_a_domain) {
  InChild([] {
    Topology t;
    for (const char* name : {"a", "b", "c", "d"}) t.nodes.push_back({name, "host", true, {}});
    t.hosts = 4;
    const Placement placement("store", FailureDomain::rack, {1, 2, 3}, t);
    EXPECT_TRUE(placement.Spreads(3, 0));
    std::vector<NodeId> nodes = placement.Of(5, 3, 0);
    std::ranges::sort(nodes);
    EXPECT_EQ(nodes, (std::vector<NodeId>{1, 2, 3}));
  });
}

/// With E extents on 3 of N nodes each, a node has 3E/N on average, with a variance of E p (1 - p). Each of
/// 24 nodes is within four deviations. So is each position, especially the first, because it answers reads.
TEST(Placement, nodes_have_as_many_extents_as_each_other) {
  InChild([] {
    const Topology t = Region(1, 3, 4);
    const Placement placement("store", FailureDomain::rack, AllOf(t), t);
    constexpr uint32_t kExtents = 6000;
    std::map<NodeId, int> any, first;
    for (uint32_t extent = 0; extent < kExtents; ++extent) {
      const std::vector<NodeId> nodes = placement.Of(extent, 3, 0);
      ++first[nodes[0]];
      for (const NodeId id : nodes) ++any[id];
    }
    const auto within = [&](const std::map<NodeId, int>& counts, double p) {
      ASSERT_EQ(counts.size(), t.hosts);
      const double mean = kExtents * p, deviation = std::sqrt(kExtents * p * (1 - p));
      for (const auto& [id, count] : counts) EXPECT_NEAR(count, mean, 4 * deviation) << t.nodes[id].name;
    };
    within(any, 3.0 / 24);
    within(first, 1.0 / 24);
  });
}

TEST(Placement, follows_from_names_alone) {
  InChild([] {
    const Topology t = Region(1, 3, 4);
    // A host that is not in the service stands in front: every node has another number.
    Topology more = t;
    more.nodes.insert(more.nodes.begin(), {"new", "host", true, {0, 0, 7}});
    ++more.hosts;
    std::vector<NodeId> same = AllOf(t);
    for (NodeId& id : same) ++id;
    const Placement before("store", FailureDomain::rack, AllOf(t), t);
    const Placement after("store", FailureDomain::rack, same, more);
    const Placement other("other", FailureDomain::rack, AllOf(t), t);
    int alike = 0;
    for (uint32_t extent = 0; extent < 100; ++extent) {
      std::vector<NodeId> moved = before.Of(extent, 3, 0);
      alike += moved == other.Of(extent, 3, 0);
      for (NodeId& id : moved) ++id;
      EXPECT_EQ(after.Of(extent, 3, 1), moved);
    }
    EXPECT_LT(alike, 5);
  });
}

TEST(Placement, one_more_node_takes_only_what_it_then_has) {
  InChild([] {
    const Topology t = Region(1, 3, 4);
    std::vector<NodeId> fewer = AllOf(t);
    const NodeId added = fewer.back();
    fewer.pop_back();
    const Placement before("store", FailureDomain::host, fewer, t);
    const Placement after("store", FailureDomain::host, AllOf(t), t);
    int taken = 0;
    for (uint32_t extent = 0; extent < 500; ++extent) {
      const std::vector<NodeId> old = before.Of(extent, 3, 0), now = after.Of(extent, 3, 0);
      const bool has = std::ranges::find(now, added) != now.end();
      taken += has;
      if (!has) {
        EXPECT_EQ(now, old);
      }
      for (const NodeId id : now) EXPECT_TRUE(id == added || std::ranges::find(old, id) != old.end());
    }
    EXPECT_NEAR(taken, 500 * 3.0 / 24, 35);
  });
}

}  // namespace
}  // namespace headroom::placement_test

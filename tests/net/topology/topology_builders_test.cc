#include "net/topology/topology_builders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace headroom::topology_builders_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time(), 0.0};
const LinkSpec kLong{GigabitsPerSecond(400), Microseconds(200), Time(), 0.0};

std::map<std::string, int> CountByTier(const Topology& t) {
  std::map<std::string, int> count;
  for (const TopologyNode& node : t.nodes) ++count[node.tier];
  return count;
}

int PortsOf(const Topology& t, const std::string& name) {
  int ports = 0;
  for (const TopologyLink& link : t.links) {
    ports += (t.nodes[link.a.node].name == name) + (t.nodes[link.b.node].name == name);
  }
  return ports;
}

const TopologyNode& NodeNamed(const Topology& t, const std::string& name) {
  return *std::find_if(t.nodes.begin(), t.nodes.end(), [&](const TopologyNode& n) { return n.name == name; });
}

void ExpectHostsFirstAndPortsDense(const Topology& t) {
  for (NodeId i = 0; i < t.nodes.size(); ++i) EXPECT_EQ(t.nodes[i].is_host, i < t.hosts);
  std::map<NodeId, uint32_t> next;
  for (const TopologyLink& link : t.links) {
    EXPECT_EQ(link.a.port_index, next[link.a.node]++);
    EXPECT_EQ(link.b.port_index, next[link.b.node]++);
  }
}

TEST(TopologyBuilders, Star) {
  const Topology t = BuildStar({"a", "b", "c"}, kLink);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 3u);
  EXPECT_EQ(t.nodes[3].name, "s0");
  EXPECT_EQ(t.nodes[0].place, t.nodes[2].place);
  EXPECT_EQ(t.links[2].b.port, "p2");
  EXPECT_EQ(t.links[2].a.port, "p0");
}

TEST(TopologyBuilders, Dumbbell) {
  const Topology t = BuildDumbbell(2, 3, kLink, kLong);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 5u);
  EXPECT_EQ(t.nodes[2].name, "r0");
  EXPECT_EQ(PortsOf(t, "s0"), 3);
  EXPECT_EQ(PortsOf(t, "s1"), 4);
  EXPECT_EQ(t.links.back().spec, kLong);
}

TEST(TopologyBuilders, LeafSpine) {
  const Topology t = BuildLeafSpine(3, 2, 4, kLink, kLong);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 12u);
  EXPECT_EQ(PortsOf(t, "leaf2"), 6);
  EXPECT_EQ(PortsOf(t, "spine1"), 3);
  EXPECT_EQ(NodeNamed(t, "h7").place.rack, 1);
}

TEST(TopologyBuilders, LeafSpineWithParallelLinks) {
  const Topology t = BuildLeafSpine(3, 2, 4, kLink, kLong, 2);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(PortsOf(t, "leaf2"), 4 + 2 * 2);
  EXPECT_EQ(PortsOf(t, "spine1"), 3 * 2);
  std::map<std::pair<NodeId, NodeId>, int> between;
  for (const TopologyLink& link : t.links)
    if (link.a.node >= t.hosts) ++between[{link.a.node, link.b.node}];
  EXPECT_EQ(between.size(), 6u);
  for (const auto& [ends, links] : between) EXPECT_EQ(links, 2);
}

TEST(TopologyBuilders, LeafSpineWithTwoPortsOfEachHost) {
  using Kind = Attachment::Kind;
  const auto leaves_of = [](const Topology& t, NodeId host) {
    std::vector<std::string> leaves;
    for (const TopologyLink& link : t.links)
      if (link.a.node == host) leaves.push_back(link.a.port + ' ' + t.nodes[link.b.node].name);
    return leaves;
  };
  const Topology one = BuildLeafSpine(2, 2, 4, kLink, kLong, 1, {2, Kind::one_leaf});
  ExpectHostsFirstAndPortsDense(one);
  EXPECT_EQ(one.hosts, 4u);
  EXPECT_EQ(leaves_of(one, 3), (std::vector<std::string>{"p0 leaf1", "p1 leaf1"}));
  for (const Kind kind : {Kind::dual_tor, Kind::planes}) {
    const Topology two = BuildLeafSpine(4, 2, 3, kLink, kLong, 1, {2, kind});
    ExpectHostsFirstAndPortsDense(two);
    EXPECT_EQ(two.hosts, 6u);
    EXPECT_EQ(leaves_of(two, 3), (std::vector<std::string>{"p0 leaf2", "p1 leaf3"}));
    EXPECT_EQ(NodeNamed(two, "h3").place, NodeNamed(two, "leaf3").place);
    EXPECT_EQ(PortsOf(two, "leaf0"), kind == Kind::planes ? 3 + 1 : 3 + 2);
    EXPECT_EQ(PortsOf(two, "spine1"), kind == Kind::planes ? 2 : 4);
  }
}

TEST(TopologyBuilders, FatTree) {
  const Topology t = BuildFatTree(4, kLink, kLink, kLong);
  ExpectHostsFirstAndPortsDense(t);
  // k³/4 hosts, k²/2 edges and aggregations, (k/2)² cores; every switch has k ports.
  EXPECT_EQ(CountByTier(t), (std::map<std::string, int>{{"host", 16}, {"edge", 8}, {"agg", 8}, {"core", 4}}));
  for (const TopologyNode& node : t.nodes) EXPECT_EQ(PortsOf(t, node.name), node.is_host ? 1 : 4);
  EXPECT_EQ(NodeNamed(t, "h6").place, (Place{.cluster = 1, .rack = 1}));
}

TEST(TopologyBuilders, Region) {
  RegionShape shape{.datacenters = 2, .clusters = 2, .racks = 3, .hosts = 4, .t1 = 2, .t2 = 3, .hubs = 2};
  shape.host = shape.t0_t1 = shape.t1_t2 = kLink;
  shape.t2_rh = kLong;
  const Topology t = BuildRegion(shape);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(CountByTier(t),
            (std::map<std::string, int>{{"host", 48}, {"t0", 12}, {"t1", 8}, {"t2", 6}, {"rh", 2}}));
  EXPECT_EQ(NodeNamed(t, "dc0-c1-r2-h3").place, (Place{0, 1, 2}));
  EXPECT_EQ(PortsOf(t, "dc0-c1-r2-t0"), 4 + 2);
  EXPECT_EQ(PortsOf(t, "dc0-c1-t1-0"), 3 + 3);
  EXPECT_EQ(PortsOf(t, "dc0-t2-1"), 4 + 2);
  EXPECT_EQ(PortsOf(t, "rh-0"), 6);
}

TEST(TopologyBuilders, Torus) {
  // 3·2·1: there are six switches; six links form the rings of three, three those of two, six lead to hosts.
  const Topology t = BuildTorus({3, 2, 1}, kLink);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 6u);
  EXPECT_EQ(t.links.size(), 6u + 3u + 6u);
  EXPECT_EQ(PortsOf(t, "s4"), 1 + 2 + 1);
}

TEST(TopologyBuilders, CustomNamesItsPortsAndMistakes) {
  const std::vector<CustomLink> links{{"a", "", "t0", "Ethernet4", kLink}, {"t0", "", "b", "", kLong}};
  const Topology t = BuildCustom({"a", "b"}, {"t0"}, links);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.links[0].b.port, "Ethernet4");
  EXPECT_EQ(t.links[1].a.port, "p1");
  EXPECT_EQ(t.nodes[0].place, t.nodes[1].place);

  const auto message = [](auto build) -> std::string {
    try {
      build();
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message([&] { BuildCustom({"a"}, {"t0"}, links); }),
            "a link ends at b, which is not a host or switch");
  EXPECT_EQ(message([&] { BuildCustom({"a", "a"}, {}, {}); }), "two nodes are named a");
  EXPECT_EQ(message([&] {
              BuildCustom({"a", "b"}, {"t0"}, {{"t0", "p1", "a", "", kLink}, {"t0", "", "b", "", kLink}});
            }),
            "two ports of t0 are named p1");
}

}  // namespace
}  // namespace headroom::topology_builders_test

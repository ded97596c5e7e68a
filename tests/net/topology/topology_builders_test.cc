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
  using Kind = Attach;
  const auto leaves_of = [](const Topology& t, NodeId host) {
    std::vector<std::string> leaves;
    for (const TopologyLink& link : t.links)
      if (link.a.node == host) leaves.push_back(link.a.port + ' ' + t.nodes[link.b.node].name);
    return leaves;
  };
  const Topology one = BuildLeafSpine(2, 2, 4, kLink, kLong, 1, {1, Kind::one_leaf, 2});
  ExpectHostsFirstAndPortsDense(one);
  EXPECT_EQ(one.hosts, 4u);
  EXPECT_EQ(leaves_of(one, 3), (std::vector<std::string>{"p0 leaf1", "p1 leaf1"}));
  for (const Kind kind : {Kind::dual_tor, Kind::planes}) {
    const Topology two = BuildLeafSpine(4, 2, 3, kLink, kLong, 1, {1, kind, 2});
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

/// The switch of a NIC.
std::string SwitchOf(const Topology& t, const std::string& nic) {
  for (const TopologyLink& link : t.links)
    if (t.nodes[link.a.node].name == nic) return t.nodes[link.b.node].name;
  return "";
}

TEST(TopologyBuilders, AHostWithSeveralNicsIsSeveralNodes) {
  const Topology t = BuildStar({"a", "b", "c"}, kLink, {2, 1, 3});
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 6u);
  std::vector<std::string> names;
  for (NodeId n = 0; n < t.hosts; ++n) names.push_back(t.nodes[n].name);
  EXPECT_EQ(names, (std::vector<std::string>{"a/n0", "a/n1", "b", "c/n0", "c/n1", "c/n2"}));
  EXPECT_EQ(t.HostOf(1), 0u);
  EXPECT_EQ(t.HostOf(2), 2u);
  EXPECT_EQ(t.HostOf(5), 3u);
  EXPECT_EQ(t.nodes[5].nics, 3);
  EXPECT_TRUE(t.HasSeveralNics());
  EXPECT_FALSE(BuildStar({"a"}, kLink).HasSeveralNics());
}

TEST(TopologyBuilders, RailsLeadToOneLeafEach) {
  // Four leaves with 3 NICs each, hosts of two NICs: two groups of two leaves, with three hosts each.
  const Topology t = BuildLeafSpine(4, 2, 3, kLink, kLink, 1, {2, Attach::rails});
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 12u);
  for (int host = 0; host < 6; ++host) {
    for (int nic = 0; nic < 2; ++nic) {
      const std::string name = "h" + std::to_string(host) + "/n" + std::to_string(nic);
      const std::string leaf = "leaf" + std::to_string(host / 3 * 2 + nic);
      EXPECT_EQ(SwitchOf(t, name), leaf);
      EXPECT_EQ(NodeNamed(t, name).place, NodeNamed(t, leaf).place);
    }
  }
  for (int leaf = 0; leaf < 4; ++leaf) EXPECT_EQ(PortsOf(t, "leaf" + std::to_string(leaf)), 3 + 2);
}

TEST(TopologyBuilders, AHostMayHaveAllItsNicsAtOneLeaf) {
  const Topology t = BuildLeafSpine(2, 1, 4, kLink, kLink, 1, {2, Attach::one_leaf});
  EXPECT_EQ(t.hosts, 8u);
  EXPECT_EQ(SwitchOf(t, "h0/n0"), "leaf0");
  EXPECT_EQ(SwitchOf(t, "h1/n1"), "leaf0");
  EXPECT_EQ(SwitchOf(t, "h2/n0"), "leaf1");
}

TEST(TopologyBuilders, RailsOfAFatTreeStayInItsPods) {
  const Topology t = BuildFatTree(8, kLink, kLink, kLink, {4, Attach::rails});
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 128u);
  EXPECT_EQ(SwitchOf(t, "h0/n3"), "edge3");
  EXPECT_EQ(SwitchOf(t, "h4/n0"), "edge4");
  EXPECT_EQ(NodeNamed(t, "h4/n0").place.cluster, 1);
  for (int edge = 0; edge < 32; ++edge) EXPECT_EQ(PortsOf(t, "edge" + std::to_string(edge)), 8);
}

TEST(TopologyBuilders, RailsOfARegionStayInTheirClusters) {
  RegionShape shape;
  shape.datacenters = 1, shape.clusters = 2, shape.racks = 4, shape.hosts = 3;
  shape.nics = {2, Attach::rails};
  const Topology t = BuildRegion(shape);
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 24u);
  EXPECT_EQ(SwitchOf(t, "dc0-c1-r2-h2/n1"), "dc0-c1-r3-t0");
  EXPECT_EQ(SwitchOf(t, "dc0-c0-r0-h0/n0"), "dc0-c0-r0-t0");
  for (int rack = 0; rack < 4; ++rack)
    EXPECT_EQ(PortsOf(t, "dc0-c1-r" + std::to_string(rack) + "-t0"), 3 + shape.t1);
  shape.nics = {3, Attach::one_leaf};
  EXPECT_EQ(SwitchOf(BuildRegion(shape), "dc0-c1-r2-h0/n2"), "dc0-c1-r2-t0");
}

TEST(TopologyBuilders, GpusBesideNicsGiveSimaisTopologies) {
  // SimAI counts a GPU and its NIC as one node. Spectrum-X of 4,096 GPUs: 4,736 nodes and 12,288 links; DCN+
  // of 512 GPUs: 592 and 1,088.
  const auto nodes = [](const Topology& t) { return t.nodes.size() - t.hosts / 2; };
  const Topology spectrum = BuildLeafSpine(64, 64, 64, kLink, kLink, 1, {8, Attach::rails}, LinkOf(kLong));
  ExpectHostsFirstAndPortsDense(spectrum);
  EXPECT_EQ(nodes(spectrum), 4736u);
  EXPECT_EQ(spectrum.links.size(), 12'288u);
  EXPECT_EQ(SwitchOf(spectrum, "h70/n3"), "leaf11");
  EXPECT_EQ(SwitchOf(spectrum, "h70/gpu3"), "h70/nv0");
  EXPECT_EQ(PortsOf(spectrum, "h70/nv0"), 8);
  const Topology dcn = BuildLeafSpine(8, 8, 64, kLink, kLink, 1, {8, Attach::one_leaf}, LinkOf(kLong));
  EXPECT_EQ(nodes(dcn), 592u);
  EXPECT_EQ(dcn.links.size(), 1088u);
  // HPN of 15,360 GPUs, in two planes: 17,640 nodes and 60,480 links.
  const Topology hpn = BuildLeafSpine(240, 120, 128, kLink, kLink, 1, {8, Attach::planes, 2}, LinkOf(kLong));
  ExpectHostsFirstAndPortsDense(hpn);
  EXPECT_EQ(nodes(hpn), 17'640u);
  EXPECT_EQ(hpn.links.size(), 60'480u);
  EXPECT_EQ(PortsOf(hpn, "leaf17"), 128 + 60);
}

// Port p of NIC i is at leaf 2i + p of its group, whatever the host.
TEST(TopologyBuilders, EachNicsTwoPortsAreAtLeavesOfItsOwn) {
  const Topology t = BuildLeafSpine(8, 2, 3, kLink, kLink, 1, {2, Attach::dual_tor, 2});
  EXPECT_EQ(t.hosts, 12u);  // 8 × 3 ports are 12 NICs of 6 hosts
  std::map<NodeId, std::vector<NodeId>> leaves;
  for (const TopologyLink& link : t.links)
    if (link.a.node < t.hosts) leaves[link.a.node].push_back(link.b.node);
  for (NodeId nic = 0; nic < t.hosts; ++nic) {
    const NodeId first = t.hosts + nic / 6 * 4 + nic % 2 * 2;  // three hosts have four leaves
    EXPECT_EQ(leaves[nic], (std::vector<NodeId>{first, first + 1})) << t.nodes[nic].name;
  }
}

TEST(TopologyBuilders, CustomHostsHaveDevicesInside) {
  const Topology t = BuildCustom({"a", "b"}, {"t0"},
                                 {{"a/n0", "", "t0", "", kLink},
                                  {"a/n1", "", "t0", "", kLink},
                                  {"b", "", "t0", "", kLink},
                                  {"a/gpu0", "", "a/nv0", "", kLink},
                                  {"a/gpu1", "", "a/nv0", "", kLink}},
                                 {2, 1}, {"a/gpu0", "a/nv0", "a/gpu1"});
  ExpectHostsFirstAndPortsDense(t);
  EXPECT_EQ(t.hosts, 5u);
  EXPECT_TRUE(NodeNamed(t, "a/gpu1").is_host);
  EXPECT_EQ(NodeNamed(t, "a/gpu1").nics, 1);
  EXPECT_EQ(NodeNamed(t, "a/nv0").tier, "device");
  EXPECT_EQ(PortsOf(t, "a/nv0"), 2);
}

}  // namespace
}  // namespace headroom::topology_builders_test

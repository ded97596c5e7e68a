#include "net/topology/routing.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>

#include "net/topology/topology_builders.h"

namespace headroom::routing_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time(), 0.0};

NodeId Id(const Topology& t, const std::string& name) {
  for (NodeId n = 0; n < t.nodes.size(); ++n) {
    if (t.nodes[n].name == name) return n;
  }
  ADD_FAILURE() << "no node " << name;
  return 0;
}

std::vector<uint16_t> Next(const Topology& t, const std::vector<RouteTable>& routes, const std::string& at,
                           const std::string& to) {
  const auto ports = routes[Id(t, at)].NextHops(Id(t, to));
  return {ports.begin(), ports.end()};
}

std::string PathText(const Topology& t, const std::vector<PathHop>& path) {
  std::string text;
  for (const PathHop& hop : path) text += t.nodes[hop.from.node].name + ">";
  return path.empty() ? "" : text + t.nodes[path.back().to.node].name;
}

TEST(ComputeRoutes, StarReachesEachHostByItsPort) {
  const Topology t = BuildStar({"a", "b", "c"}, kLink);
  const auto routes = ComputeRoutes(t);
  EXPECT_EQ(Next(t, routes, "s0", "c"), (std::vector<uint16_t>{2}));
  EXPECT_EQ(Next(t, routes, "a", "b"), (std::vector<uint16_t>{0}));
}

TEST(ComputeRoutes, FatTreeOffersEveryEqualPathUpAndOneDown) {
  // k = 4: an edge has hosts at p0, p1 and aggregations at p2, p3; an aggregation edges at p0, p1, cores at
  // p2, p3.
  const Topology t = BuildFatTree(4, kLink, kLink, kLink);
  const auto routes = ComputeRoutes(t);
  EXPECT_EQ(Next(t, routes, "edge0", "h1"), (std::vector<uint16_t>{1}));
  EXPECT_EQ(Next(t, routes, "edge0", "h15"), (std::vector<uint16_t>{2, 3}));
  EXPECT_EQ(Next(t, routes, "agg0", "h15"), (std::vector<uint16_t>{2, 3}));
  EXPECT_EQ(Next(t, routes, "agg0", "h2"), (std::vector<uint16_t>{1}));
  EXPECT_EQ(Next(t, routes, "core3", "h15"), (std::vector<uint16_t>{3}));
}

TEST(ComputeRoutes, HostsDoNotForward) {
  // a - b - c in a row without a switch: a reaches b, but not c.
  const Topology t = BuildCustom({"a", "b", "c"}, {}, {{"a", "", "b", "", kLink}, {"b", "", "c", "", kLink}});
  const auto routes = ComputeRoutes(t);
  EXPECT_EQ(Next(t, routes, "a", "b"), (std::vector<uint16_t>{0}));
  EXPECT_EQ(Next(t, routes, "b", "c"), (std::vector<uint16_t>{1}));
  EXPECT_TRUE(Next(t, routes, "a", "c").empty());
  EXPECT_TRUE(EcmpPath(t, routes, 0, 2, 1).empty());
}

TEST(ComputeRoutes, HostsReachWhatTheirSwitchesAreConnectedWithAndNothingElse) {
  const Topology t = BuildCustom({"a", "b", "c", "d"}, {"s", "t", "u"},
                                 {{"a", "", "s", "", kLink},
                                  {"b", "", "t", "", kLink},
                                  {"s", "", "t", "", kLink},
                                  {"c", "", "u", "", kLink},
                                  {"d", "", "u", "", kLink}});
  const auto routes = ComputeRoutes(t);
  const std::vector<uint16_t> own_port{0}, none;
  EXPECT_EQ(Next(t, routes, "a", "b"), own_port);
  EXPECT_EQ(Next(t, routes, "b", "a"), own_port);
  EXPECT_EQ(Next(t, routes, "c", "d"), own_port);
  EXPECT_EQ(Next(t, routes, "a", "c"), none);
  EXPECT_EQ(Next(t, routes, "d", "b"), none);
  std::vector<int> down(t.links.size());
  down[0] = down[2] = 1;  // links a to s, s to t
  const auto without = ComputeRoutes(t, down);
  EXPECT_EQ(Next(t, without, "a", "b"), none);
  EXPECT_EQ(Next(t, without, "b", "a"), none);
  EXPECT_EQ(Next(t, without, "c", "d"), own_port);
}

TEST(ComputeRoutes, HostOnTwoSwitchesAndParallelLinks) {
  // a has links to t0 and t1, b two links to t0, and t0 has one to t1.
  const Topology t = BuildCustom({"a", "b"}, {"t0", "t1"},
                                 {{"a", "", "t0", "", kLink},
                                  {"a", "", "t1", "", kLink},
                                  {"b", "", "t0", "", kLink},
                                  {"b", "", "t0", "", kLink},
                                  {"t0", "", "t1", "", kLink}});
  const auto routes = ComputeRoutes(t);
  // A host does not know that one of its paths is longer; a switch does.
  EXPECT_EQ(Next(t, routes, "a", "b"), (std::vector<uint16_t>{0, 1}));
  EXPECT_EQ(Next(t, routes, "b", "a"), (std::vector<uint16_t>{0, 1}));
  EXPECT_EQ(Next(t, routes, "t0", "b"), (std::vector<uint16_t>{1, 2}));
  EXPECT_EQ(Next(t, routes, "t1", "b"), (std::vector<uint16_t>{1}));
  EXPECT_EQ(Next(t, routes, "t1", "a"), (std::vector<uint16_t>{0}));
}

TEST(ComputeRoutes, TwoLeavesOfAHostDeliverOverTheirOwnLinksUntilOneFails) {
  const Topology t = BuildLeafSpine(4, 2, 2, kLink, kLink, 1, {1, Attach::dual_tor, 2});
  const auto routes = ComputeRoutes(t);
  // A leaf has two hosts, then two spines.
  EXPECT_EQ(Next(t, routes, "h0", "h2"), (std::vector<uint16_t>{0, 1}));
  EXPECT_EQ(Next(t, routes, "leaf0", "h1"), (std::vector<uint16_t>{1}));
  EXPECT_EQ(Next(t, routes, "leaf1", "h1"), (std::vector<uint16_t>{1}));
  EXPECT_EQ(Next(t, routes, "spine0", "h1"), (std::vector<uint16_t>{0, 1}));
  std::vector<int> down(t.links.size());
  down[2] = 1;  // h1 to leaf0
  const auto without = ComputeRoutes(t, down);
  EXPECT_EQ(Next(t, without, "leaf0", "h1"), (std::vector<uint16_t>{2, 3}));
  EXPECT_EQ(Next(t, without, "spine0", "h1"), (std::vector<uint16_t>{1}));
  EXPECT_EQ(Next(t, without, "leaf0", "h0"), (std::vector<uint16_t>{0}));
}

TEST(ComputeRoutes, PlanesNeverMeet) {
  const Topology t = BuildLeafSpine(4, 2, 2, kLink, kLink, 1, {1, Attach::planes, 2});
  const auto routes = ComputeRoutes(t);
  EXPECT_EQ(Next(t, routes, "h0", "h2"), (std::vector<uint16_t>{0, 1}));
  EXPECT_EQ(Next(t, routes, "leaf0", "h2"), (std::vector<uint16_t>{2}));
  std::vector<int> down(t.links.size());
  down[4] = 1;  // h2 to leaf2
  const auto without = ComputeRoutes(t, down);
  EXPECT_EQ(Next(t, without, "h0", "h2"), (std::vector<uint16_t>{1}));
  EXPECT_TRUE(Next(t, without, "leaf0", "h2").empty());
}

/// Distances by Floyd and Warshall, in which hosts are only ends: slow and simple.
TEST(ComputeRoutes, AgreesWithAllPairsOnATorus) {
  const Topology t = BuildTorus({4, 3}, kLink);
  const auto routes = ComputeRoutes(t);
  const size_t n = t.nodes.size();
  std::vector<std::vector<int>> d(n, std::vector<int>(n, 1000));
  for (size_t i = 0; i < n; ++i) d[i][i] = 0;
  for (const TopologyLink& l : t.links) d[l.a.node][l.b.node] = d[l.b.node][l.a.node] = 1;
  for (size_t k = t.hosts; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  std::vector<std::map<uint16_t, NodeId>> at_port(n);
  for (const TopologyLink& l : t.links) {
    at_port[l.a.node][static_cast<uint16_t>(l.a.port_index)] = l.b.node;
    at_port[l.b.node][static_cast<uint16_t>(l.b.port_index)] = l.a.node;
  }
  for (NodeId from = 0; from < n; ++from) {
    for (NodeId to = 0; to < t.hosts; ++to) {
      if (from == to) continue;
      std::vector<uint16_t> expected;
      for (const auto& [port, next] : at_port[from]) {
        const bool forwards = next == to || next >= t.hosts;
        if (forwards && d[next][to] + 1 == d[from][to]) expected.push_back(port);
      }
      const auto got = routes[from].NextHops(to);
      EXPECT_EQ(std::vector<uint16_t>(got.begin(), got.end()), expected) << from << " to " << to;
    }
  }
}

TEST(RouteTable, AFlowTakesTheNextHopThatItsHashChooses) {
  // On the torus some sets of ports are consecutive, others are not; b has two links to its switch.
  for (const Topology& t : {BuildTorus({4, 3}, kLink), BuildFatTree(4, kLink, kLink, kLink),
                            BuildCustom({"a", "b"}, {"t0", "t1"},
                                        {{"a", "", "t1", "", kLink},
                                         {"b", "", "t0", "", kLink},
                                         {"t0", "", "t1", "", kLink},
                                         {"b", "", "t0", "", kLink}})}) {
    const auto routes = ComputeRoutes(t);
    int apart = 0;
    for (NodeId from = 0; from < t.nodes.size(); ++from) {
      for (NodeId to = 0; to < t.hosts; ++to) {
        if (from == to) continue;
        const auto ports = routes[from].NextHops(to);
        apart += ports.size() > 1 && ports.back() - ports.front() != static_cast<int>(ports.size()) - 1;
        for (uint32_t hash = 1; hash < 20; ++hash) {
          const uint32_t choice = EcmpChoice(hash * 0x9e3779b9u, from, static_cast<uint32_t>(ports.size()));
          EXPECT_EQ(routes[from].NextHop(to, hash * 0x9e3779b9u, from), ports[choice]);
        }
      }
    }
    const bool fat_tree = t.hosts == 16;
    EXPECT_EQ(apart > 0, !fat_tree) << t.nodes.size();
  }
  const Topology apart =
      BuildCustom({"a", "b"}, {"t0", "t1"}, {{"a", "", "t0", "", kLink}, {"b", "", "t1", "", kLink}});
  EXPECT_EQ(ComputeRoutes(apart)[Id(apart, "t0")].NextHop(Id(apart, "b"), 1, 1), RouteTable::kNoPath);
}

TEST(ComputeRoutes, TenThousandHostsInSeconds) {
  // k = 36 has 11664 hosts, 1620 switches, 648 groups. The test takes about 0.5 s optimised; the bound is for
  // a build with sanitizers.
  const Topology t = BuildFatTree(36, kLink, kLink, kLink);
  const auto start = std::chrono::steady_clock::now();
  const auto routes = ComputeRoutes(t);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordProperty("seconds", std::to_string(took.count()));
  EXPECT_LT(took.count(), 30.0);
  EXPECT_EQ(routes[Id(t, "edge0")].NextHops(t.hosts - 1).size(), 18u);
}

TEST(EcmpPath, FollowsLinksAndChangesWithTheSourcePort) {
  const Topology t = BuildFatTree(4, kLink, kLink, kLink);
  const auto routes = ComputeRoutes(t);
  EXPECT_EQ(PathText(t, EcmpPath(t, routes, 0, 1, 5)), "h0>edge0>h1");
  EXPECT_TRUE(EcmpPath(t, routes, 3, 3, 5).empty());
  std::set<std::string> paths;
  for (uint32_t port = 0; port < 64; ++port) {
    const auto path = EcmpPath(t, routes, 0, 15, port);
    EXPECT_EQ(path.size(), 6u);
    for (size_t i = 1; i < path.size(); ++i) EXPECT_EQ(path[i].from.node, path[i - 1].to.node);
    paths.insert(PathText(t, path));
  }
  EXPECT_EQ(paths.size(), 4u);  // one path through each core
}

/// Pearson's statistic of counts that are expected to be equal.
double ChiSquare(const std::vector<int>& counts) {
  double total = 0, sum = 0;
  for (int c : counts) total += c;
  const double mean = total / static_cast<double>(counts.size());
  for (int c : counts) sum += (c - mean) * (c - mean) / mean;
  return sum;
}

TEST(EcmpChoice, SpreadsFlowsEvenly) {
  // With 7 degrees of freedom 99.9 % of random draws stay below 24.3. Flows differ in one field at a time.
  const uint32_t seed = EcmpSeed("edge0");
  std::vector<int> by_port(8), by_source(8), by_destination(8);
  for (uint32_t i = 0; i < 8000; ++i) {
    ++by_port[EcmpChoice(FlowHash(1, 2, 49152 + i), seed, 8)];
    ++by_source[EcmpChoice(FlowHash(i, 2, 49152), seed, 8)];
    ++by_destination[EcmpChoice(FlowHash(1, i, 49152), seed, 8)];
  }
  EXPECT_LT(ChiSquare(by_port), 24.3);
  EXPECT_LT(ChiSquare(by_source), 24.3);
  EXPECT_LT(ChiSquare(by_destination), 24.3);
}

TEST(EcmpChoice, DoesNotPolariseOverTiers) {
  // Flows that one switch sent to its first port spread evenly at the next switch, and at the third.
  std::vector<int> second(8), third(8);
  for (uint32_t i = 0; i < 256000; ++i) {
    const uint32_t hash = FlowHash(3, 77, i);
    if (EcmpChoice(hash, EcmpSeed("edge0"), 8) != 0) continue;
    const uint32_t choice = EcmpChoice(hash, EcmpSeed("agg0"), 8);
    ++second[choice];
    if (choice == 5) ++third[EcmpChoice(hash, EcmpSeed("core5"), 8)];
  }
  EXPECT_LT(ChiSquare(second), 24.3);
  EXPECT_LT(ChiSquare(third), 24.3);
}

TEST(EcmpSeed, IsFnv1a) {
  EXPECT_EQ(EcmpSeed(""), 0x811c9dc5u);
  EXPECT_EQ(EcmpSeed("foobar"), 0xbf9cf968u);  // test vector by the hash's authors
}

}  // namespace
}  // namespace headroom::routing_test

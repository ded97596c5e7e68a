#include "net/routing/dimension_order.h"

#include <gtest/gtest.h>

#include <set>

#include "net/topology/topology_builders.h"

namespace headroom::dimension_order_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};

/// A torus with the data for a naive walk: coordinates, and the switch at each port.
struct Torus {
  explicit Torus(const std::vector<int>& dims) : topology(BuildTorus(dims, kLink)), ports(topology) {
    peers.resize(topology.nodes.size());
    for (const TopologyLink& l : topology.links) {
      peers[l.a.node].push_back(l.b);
      peers[l.b.node].push_back(l.a);
    }
  }
  std::vector<int> At(NodeId node) const {
    std::vector<int> at;
    int64_t n = node % topology.hosts;
    for (const int d : topology.torus) {
      at.push_back(static_cast<int>(n % d));
      n /= d;
    }
    return at;
  }
  Topology topology;
  TorusPorts ports;
  std::vector<std::vector<LinkEnd>> peers;  ///< by node and port
};

int Distance(int a, int b, int size) {
  const int ahead = (b - a + size) % size;
  return std::min(ahead, size - ahead);
}

TEST(TorusPorts, NextHopsAreThoseOfTheFirstDimensionThatDiffersTheShorterWay) {
  for (const auto& dims : {std::vector<int>{5}, {4, 4}, {2, 3, 4}, {1, 6}, {2, 2}}) {
    const Torus t(dims);
    for (NodeId node = t.topology.hosts; node < t.topology.nodes.size(); ++node) {
      for (NodeId host = 0; host < t.topology.hosts; ++host) {
        const std::vector<int> here = t.At(node), there = t.At(host);
        // All ports towards the target in the first dimension that differs.
        std::vector<uint16_t> naive;
        for (uint16_t p = 0; p < t.peers[node].size(); ++p) {
          const NodeId peer = t.peers[node][p].node;
          if (here == there ? peer != host : peer < t.topology.hosts) continue;
          if (here == there) {
            naive.push_back(p);
            continue;
          }
          size_t d = 0;
          while (here[d] == there[d]) ++d;
          std::vector<int> moved = t.At(peer);
          if (Distance(moved[d], there[d], dims[d]) >= Distance(here[d], there[d], dims[d])) continue;
          moved[d] = here[d];
          if (moved == here) naive.push_back(p);
        }
        EXPECT_EQ(t.ports.NextHops(node, host, {}), naive) << node << " to " << host;
      }
    }
  }
}

TEST(TorusPorts, ALinkThatIsDownIsNotAvoided) {
  // In a ring of four s0 to h1 uses the link s0 – s1 alone; s0 to h2 either direction.
  const Torus t({4});
  std::vector<int> down(t.topology.links.size());
  for (size_t l = 0; l < t.topology.links.size(); ++l) {
    const TopologyLink& link = t.topology.links[l];
    down[l] = link.a.node == 4 && link.b.node == 5;
  }
  EXPECT_EQ(t.ports.NextHops(4, 1, {}).size(), 1u);
  EXPECT_TRUE(t.ports.NextHops(4, 1, down).empty());
  EXPECT_EQ(t.ports.NextHops(4, 2, {}).size(), 2u);
  EXPECT_EQ(t.ports.NextHops(4, 2, down).size(), 1u);
}

/// Every path of every pair of hosts, with the priority of its frames on each link.
TEST(Dateline, NoRingHasOnePriorityAllTheWayRound) {
  for (const auto& dims : {std::vector<int>{5}, {4, 4}, {3, 2, 4}}) {
    const Torus t(dims);
    std::set<std::tuple<NodeId, uint16_t, uint8_t>> used;  // priorities on the link of each switch and port
    for (NodeId from = 0; from < t.topology.hosts; ++from) {
      for (NodeId to = 0; to < t.topology.hosts; ++to) {
        if (from == to) continue;
        struct Step {
          NodeId node;
          uint16_t in;
          uint8_t priority;
        };
        std::vector<Step> ahead{{from + t.topology.hosts, 0, 3}};
        while (!ahead.empty()) {
          const Step s = ahead.back();
          ahead.pop_back();
          const Dateline dateline({3, 4}, t.ports.Of(s.node));
          for (const uint16_t out : t.ports.NextHops(s.node, to, {})) {
            const uint8_t priority = dateline.PriorityAfter(s.in, out, s.priority);
            EXPECT_EQ(dateline.PriorityAfter(s.in, out, 0), 0);
            const LinkEnd& end = t.peers[s.node][out];
            if (end.node < t.topology.hosts) {
              EXPECT_EQ(priority, 3);  // the host receives the priority with which the frame was sent
              continue;
            }
            used.insert({s.node, out, priority});
            ahead.push_back({end.node, static_cast<uint16_t>(end.port_index), priority});
          }
        }
      }
    }
    // If all links of a ring in one direction have a priority, its frames wait in a circle.
    for (NodeId start = t.topology.hosts; start < t.topology.nodes.size(); ++start) {
      for (uint16_t out = 0; out < t.peers[start].size(); ++out) {
        const TorusPorts::Exit exit = t.ports.Of(start)[out];
        if (exit.dimension < 0 || dims[static_cast<size_t>(exit.dimension)] < 3) continue;
        for (const uint8_t priority : {uint8_t{3}, uint8_t{4}}) {
          bool all = true;
          NodeId at = start;
          do {
            uint16_t p = 0;
            while (t.ports.Of(at)[p].dimension != exit.dimension || t.ports.Of(at)[p].up != exit.up) ++p;
            all = all && used.contains({at, p, priority});
            at = t.peers[at][p].node;
          } while (at != start);
          EXPECT_FALSE(all) << start << ":" << out << " priority " << int{priority};
        }
      }
    }
  }
}

}  // namespace
}  // namespace headroom::dimension_order_test

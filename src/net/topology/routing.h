// Shortest-path routes with equal-cost multipath, computed on the topology's plain data.
//
// For each switch and destination host: the ports of that switch that lie on a shortest path (fewest hops;
// hosts do not forward). A switch picks one by a hash of the five-tuple seeded by its own name, so that
// consecutive tiers do not make the same choice (no polarisation). A host with several ports chooses in the
// same way, among all ports from which a path leads to the destination: it does not know how long they are.
// Next hops share flows in the ratio of their links' weights: a port appears in its set as often as its
// weight in lowest terms.
//
// Hosts that are attached to the same switches in the same port order form a group. Routes are kept per
// group, so memory is (switches × groups), not (nodes × hosts).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

/// A host's group and position in it; all tables share one list.
struct RouteSlot {
  uint32_t group = 0;
  uint32_t rank = 0;  ///< position in its group
};

/// The next hops of one node towards one group of hosts. The entry itself contains consecutive ports: a
/// single port is such a set, and most sets are.
struct RouteEntry {
  static constexpr uint32_t kStep = 8;  ///< sets in the node's list begin at multiples of this
  uint16_t first = 0;                   ///< the first port, or its index in the node's list divided by kStep
  uint16_t count : 11;                  ///< number of ports in the set, repetitions included; 0: no path
  uint16_t direct : 1;  ///< the hosts are neighbours of this node: each member has `count` ports of its own
  uint16_t listed : 1;  ///< the set is in the node's list
};
static_assert(sizeof(RouteEntry) == 4);

/// Hash of a five-tuple, computed once at the sender: addresses are node ids, the destination port is
/// RoCEv2's.
constexpr uint32_t FlowHash(NodeId src, NodeId dst, uint32_t source_port) {
  uint64_t x = (uint64_t{src} << 40) ^ (uint64_t{dst} << 16) ^ source_port ^ 4791;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<uint32_t>(x ^ (x >> 31));
}

/// The index among `n` equal next hops that a node with this seed takes for a flow. REQUIRES: n > 0.
constexpr uint32_t EcmpChoice(uint32_t flow_hash, uint32_t switch_seed, uint32_t n) {
  uint64_t x = (uint64_t{flow_hash} << 32) | switch_seed;
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  x ^= x >> 33;
  return static_cast<uint32_t>(((x & 0xffffffffu) * n) >> 32);
}

/// The next-hop sets of one node. Destinations that share a set share its storage.
class RouteTable {
 public:
  static constexpr uint16_t kNoPath = UINT16_MAX;

  RouteTable() = default;
  RouteTable(std::shared_ptr<const std::vector<RouteSlot>> slots,
             std::shared_ptr<const std::vector<RouteEntry>> entries,
             std::shared_ptr<const std::vector<uint16_t>> ports)
      : slots_(slots->data()),
        entries_(entries->data()),
        ports_(ports->data()),
        owners_{std::move(slots), std::move(entries), std::move(ports)} {}

  /// The port indices towards `host`, in ascending order, repeated by weight; empty without a path. A host's
  /// entry for itself has no meaning. Equal sets of a table share storage.
  std::span<const uint16_t> NextHops(NodeId host) const;
  /// The port that a node with this seed takes for a flow; kNoPath if there is no path.
  uint16_t NextHop(NodeId host, uint32_t flow_hash, uint32_t node_seed) const {
    const RouteSlot& slot = slots_[host];
    const RouteEntry entry = entries_[slot.group];
    if (entry.listed) [[unlikely]]
      return ListedHop(host, flow_hash, node_seed);
    const uint32_t count = entry.count;
    uint32_t port = entry.first;
    if (entry.direct) port += slot.rank * count;
    if (count == 1) return static_cast<uint16_t>(port);
    if (count == 0) return kNoPath;
    return static_cast<uint16_t>(port + EcmpChoice(flow_hash, node_seed, count));
  }

 private:
  uint16_t ListedHop(NodeId host, uint32_t flow_hash, uint32_t node_seed) const;

  // Plain pointers: each step of a look-up takes one load.
  const RouteSlot* slots_ = nullptr;
  const RouteEntry* entries_ = nullptr;  ///< indexed by group
  const uint16_t* ports_ = nullptr;      ///< sets of ports that are not consecutive
  std::array<std::shared_ptr<const void>, 3> owners_;
};

/// The largest number of ports in a set, repetitions included.
inline constexpr int64_t kMostNextHops = 2047;

/// One table per node, in node order. Throws std::length_error for a node beyond the limits of a RouteEntry
/// (2047 equal paths, 2^19 entries of its port list, 65536 ports).
std::vector<RouteTable> ComputeRoutes(const Topology& topology);
/// The same without the links that are down: those with `down` other than 0.
std::vector<RouteTable> ComputeRoutes(const Topology& topology, const std::vector<int>& down);
/// Each host forms its own group.
std::shared_ptr<const std::vector<RouteSlot>> SlotsOfHosts(uint32_t hosts);
/// A table with these sets, by host. `slots`: the result of SlotsOfHosts.
RouteTable TableOf(std::shared_ptr<const std::vector<RouteSlot>> slots,
                   const std::vector<std::vector<uint16_t>>& next_hops);

/// A hash (FNV-1a) of a name: the seed of a node whose hash does not depend on the run's seed.
uint32_t EcmpSeed(const std::string& node_name);

/// A transmission on a flow's path: `from` sends by its port over `link` to `to`.
struct PathHop {
  LinkEnd from, to;
  uint32_t link = 0;  ///< index into the topology's links
};

/// The paths of flows through a topology, hop by hop, as hosts and switches choose them. Keeps a reference to
/// the routes.
class EcmpPaths {
 public:
  /// `seeds`: of each node, by number; empty: from its name.
  EcmpPaths(const Topology& topology, const std::vector<RouteTable>& routes,
            std::vector<uint32_t> seeds = {});
  /// The port by which a node sends a flow with this hash; kNoPath if there is no path.
  uint16_t PortOf(NodeId node, NodeId dst, uint32_t flow_hash) const {
    return routes_[node].NextHop(dst, flow_hash, seeds_[node]);
  }
  /// Empty if there is no path, and from a host to itself.
  std::vector<PathHop> Of(NodeId src, NodeId dst, uint32_t source_port) const;
  /// The hop over the port of a node. REQUIRES: the port exists.
  const PathHop& HopAt(NodeId node, uint32_t port_index) const { return hops_[node][port_index]; }

 private:
  const std::vector<RouteTable>& routes_;
  std::vector<uint32_t> seeds_;             ///< indexed by node
  std::vector<std::vector<PathHop>> hops_;  ///< indexed by node and port
};

/// One path, for callers that need only a few.
std::vector<PathHop> EcmpPath(const Topology& topology, const std::vector<RouteTable>& routes, NodeId src,
                              NodeId dst, uint32_t source_port);

}  // namespace headroom

// Shortest-path routes with equal-cost multipath, computed on the topology's plain data.
//
// For each node and destination host: the ports of that node that lie on a shortest path (fewest hops; hosts
// do not forward). A switch picks one by a hash of the five-tuple seeded by its own name, so that consecutive
// tiers do not make the same choice (no polarisation). A host with several ports picks in the same way. Next
// hops share flows in the ratio of their links' weights: a port is in its set as often as its weight in
// lowest terms.
//
// Hosts that hang on the same switches in the same port order form a group; routes are kept per group, so
// memory is (switches × groups), not (nodes × hosts).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

/// Where a host stands among the groups; one list shared by all tables.
struct RouteSlot {
  uint32_t group = 0;
  uint32_t rank = 0;  ///< position in its group
};

/// The next hops of one node towards one group of hosts. Ports that follow each other, as one alone and most
/// sets do, stand in the entry itself.
struct RouteEntry {
  static constexpr uint32_t kStep = 8;  ///< sets in the node's list begin at multiples of this
  uint16_t first = 0;                   ///< the first port, or its index in the node's list over kStep
  uint16_t count : 11;                  ///< ports in the set, some perhaps several times; 0: no way
  uint16_t direct : 1;  ///< the hosts are neighbours of this node: each member has `count` ports of its own
  uint16_t listed : 1;  ///< in the node's list
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

/// Which of `n` equal next hops a node with this seed takes for a flow. REQUIRES: n > 0.
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
  static constexpr uint16_t kNoWay = UINT16_MAX;

  RouteTable() = default;
  RouteTable(std::shared_ptr<const std::vector<RouteSlot>> slots,
             std::shared_ptr<const std::vector<RouteEntry>> entries,
             std::shared_ptr<const std::vector<uint16_t>> ports)
      : slots_(slots->data()),
        entries_(entries->data()),
        ports_(ports->data()),
        owners_{std::move(slots), std::move(entries), std::move(ports)} {}

  /// The port indices towards `host`, in ascending order, repeated by weight; empty without a path. A host's
  /// entry for itself has no meaning. Equal sets of a table have the same storage.
  std::span<const uint16_t> NextHops(NodeId host) const;
  /// The port that a node with this seed takes for a flow; kNoWay without a path.
  uint16_t NextHop(NodeId host, uint32_t flow_hash, uint32_t node_seed) const {
    const RouteSlot& slot = slots_[host];
    const RouteEntry entry = entries_[slot.group];
    if (entry.listed) [[unlikely]]
      return ListedHop(host, flow_hash, node_seed);
    const uint32_t count = entry.count;
    uint32_t port = entry.first;
    if (entry.direct) port += slot.rank * count;
    if (count == 1) return static_cast<uint16_t>(port);
    if (count == 0) return kNoWay;
    return static_cast<uint16_t>(port + EcmpChoice(flow_hash, node_seed, count));
  }

 private:
  uint16_t ListedHop(NodeId host, uint32_t flow_hash, uint32_t node_seed) const;

  // Plain pointers: each step of a look-up is one load.
  const RouteSlot* slots_ = nullptr;
  const RouteEntry* entries_ = nullptr;  ///< by group
  const uint16_t* ports_ = nullptr;      ///< sets of ports that do not follow each other
  std::array<std::shared_ptr<const void>, 3> owners_;
};

/// Most ports in a set, counted as often as they stand in it.
inline constexpr int64_t kMostNextHops = 2047;

/// One table a node, in node order. Throws std::length_error for a node beyond what a RouteEntry holds (2047
/// equal paths, 2^19 entries of its port list, 65536 ports).
std::vector<RouteTable> ComputeRoutes(const Topology& topology);
/// The same without the links that are not 0 in `down`.
std::vector<RouteTable> ComputeRoutes(const Topology& topology, const std::vector<int>& down);
/// Each host a group of its own.
std::shared_ptr<const std::vector<RouteSlot>> SlotsOfHosts(uint32_t hosts);
/// The table of these sets, by host. `slots`: of SlotsOfHosts.
RouteTable TableOf(std::shared_ptr<const std::vector<RouteSlot>> slots,
                   const std::vector<std::vector<uint16_t>>& next_hops);

/// The seed of a node: a hash (FNV-1a) of its name.
uint32_t EcmpSeed(const std::string& node_name);

/// A transmission on a flow's way: `from` sends by its port over `link` to `to`.
struct PathHop {
  LinkEnd from, to;
  uint32_t link = 0;  ///< index into the topology's links
};

/// The ways of flows through a topology, hop by hop, as hosts and switches choose them. Keeps references to
/// both arguments of its constructor.
class EcmpPaths {
 public:
  EcmpPaths(const Topology& topology, const std::vector<RouteTable>& routes);
  /// The port by which a node sends a flow of this hash; kNoWay without a path.
  uint16_t PortOf(NodeId node, NodeId dst, uint32_t flow_hash) const {
    return routes_[node].NextHop(dst, flow_hash, seeds_[node]);
  }
  /// Empty where there is no way, and from a host to itself.
  std::vector<PathHop> Of(NodeId src, NodeId dst, uint32_t source_port) const;
  /// What the port of a node leads over. REQUIRES: there is such a port.
  const PathHop& HopAt(NodeId node, uint32_t port_index) const { return hops_[node][port_index]; }

 private:
  const std::vector<RouteTable>& routes_;
  std::vector<uint32_t> seeds_;             ///< by node
  std::vector<std::vector<PathHop>> hops_;  ///< by node and port
};

/// One way, for who needs no more than a few.
std::vector<PathHop> EcmpPath(const Topology& topology, const std::vector<RouteTable>& routes, NodeId src,
                              NodeId dst, uint32_t source_port);

}  // namespace headroom

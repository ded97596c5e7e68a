// Shortest-path routes with equal-cost multipath, computed on the topology's plain data.
//
// For each node and destination host: the ports of that node that lie on a shortest path (fewest hops; hosts
// do not forward). A switch picks one by a hash of the five-tuple seeded by its own name, so that consecutive
// tiers do not make the same choice (no polarisation). A host with several ports picks in the same way.
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

/// The next hops of one node towards one group of hosts.
struct RouteEntry {
  uint32_t first : 20;  ///< index of the first port in the node's list
  uint32_t count : 11;  ///< ports in the set; 0: no way
  uint32_t direct : 1;  ///< the hosts are neighbours of this node: each member has `count` ports of its own
};

/// The next-hop sets of one node. Destinations that share a set share its storage.
class RouteTable {
 public:
  RouteTable() = default;
  RouteTable(std::shared_ptr<const std::vector<RouteSlot>> slots,
             std::shared_ptr<const std::vector<RouteEntry>> entries,
             std::shared_ptr<const std::vector<uint16_t>> ports)
      : slots_(slots->data()),
        entries_(entries->data()),
        ports_(ports->data()),
        owners_{std::move(slots), std::move(entries), std::move(ports)} {}

  /// The port indices towards `host`, in ascending order; empty where there is no way. What a host's table
  /// says of the host itself has no meaning.
  std::span<const uint16_t> NextHops(NodeId host) const {
    const RouteSlot slot = slots_[host];
    const RouteEntry entry = entries_[slot.group];
    const uint32_t skipped = entry.direct ? slot.rank * entry.count : 0;
    return {ports_ + entry.first + skipped, entry.count};
  }

 private:
  // Plain pointers: each step of a look-up is one load.
  const RouteSlot* slots_ = nullptr;
  const RouteEntry* entries_ = nullptr;  ///< by group
  const uint16_t* ports_ = nullptr;
  std::array<std::shared_ptr<const void>, 3> owners_;
};

/// One table a node, in node order. Throws std::length_error for a node beyond what a RouteEntry holds (2047
/// equal paths, 2^20 entries of its port list, 65536 ports).
std::vector<RouteTable> ComputeRoutes(const Topology& topology);
/// The same without the links whose number in `down` is not 0.
std::vector<RouteTable> ComputeRoutes(const Topology& topology, const std::vector<int>& down);

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

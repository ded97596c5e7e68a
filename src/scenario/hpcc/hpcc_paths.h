// The paths of flows in the HPCC simulator, and source ports that lead to the same paths here.
//
// Source: alibaba-edu/High-Precision-Congestion-Control, switch-node.cc (hash and key), third.cc (next hops,
// addresses, ports). A switch hashes both addresses and both ports with MurmurHash3; its number is the seed.
// The remainder selects among next hops in the order in which a breadth-first search from the receiver finds
// them. The search visits neighbours by their addresses in memory: later switches have lower addresses, as
// glibc maps them.
//
// Here a switch uses another hash (net/topology/routing.h). A flow and its ACKs have the same path as in the
// simulator, with a source port for which this hash leads there. So no other code needs to know.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "net/topology/routing.h"

namespace headroom {

class HpccPaths {
 public:
  /// Keeps a reference to the topology.
  explicit HpccPaths(const Topology& topology);

  /// The switches on the path of a flow with these UDP ports in that simulator; empty if there is no path.
  std::vector<NodeId> SwitchesOf(NodeId src, NodeId dst, uint16_t src_port, uint16_t dst_port);
  /// A source port with which data and ACKs take the same paths here as in the simulator. If there is no such
  /// port, one with which data do; if there is none either, none. Also none if all ports lead to the same
  /// path.
  std::optional<uint16_t> SourcePortFor(NodeId src, NodeId dst, uint16_t src_port, uint16_t dst_port);

 private:
  /// Indexed by node: the next hops towards this switch, in its order.
  using NextHops = std::vector<std::vector<NodeId>>;
  const NextHops& Towards(NodeId last);
  NodeId SwitchOf(NodeId host) const { return neighbours_[host].empty() ? host : neighbours_[host].front(); }
  std::vector<NodeId> SwitchesHere(NodeId src, NodeId dst, uint16_t source_port) const;

  const Topology& topology_;
  const std::vector<RouteTable> routes_;
  const EcmpPaths paths_;
  std::vector<uint32_t> ids_;                    ///< indexed by node
  std::vector<std::vector<NodeId>> neighbours_;  ///< indexed by node: neighbouring switches, the latest first
  std::map<NodeId, NextHops> next_hops_;
};

}  // namespace headroom

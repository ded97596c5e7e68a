// The paths that flows take in the HPCC simulator, and source ports with which they take them here.
//
// Source: alibaba-edu/High-Precision-Congestion-Control, switch-node.cc (hash and key), third.cc (next hops,
// addresses, ports). A switch hashes both addresses and both ports with MurmurHash3; its number is the seed.
// The remainder chooses among next hops in the order in which a breadth-first search from the receiver finds
// them. It visits neighbours by their addresses in memory: later switches lie lower, as glibc maps them.
//
// Here a switch hashes otherwise (net/topology/routing.h). A flow has the same path, and its ACKs too, with a
// source port for which this hash leads there. So nothing else needs to know.
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

  /// The switches on the way of a flow with these UDP ports in that simulator; empty where there is none.
  std::vector<NodeId> SwitchesOf(NodeId src, NodeId dst, uint16_t src_port, uint16_t dst_port);
  /// A source port with which data and ACKs take the same paths here as in the simulator. Where there is
  /// none, one that holds for data; else none. None, too, where all ports lead the same way.
  std::optional<uint16_t> SourcePortFor(NodeId src, NodeId dst, uint16_t src_port, uint16_t dst_port);

 private:
  /// By node: the next hops towards this switch, in its order.
  using NextHops = std::vector<std::vector<NodeId>>;
  const NextHops& Towards(NodeId last);
  NodeId SwitchOf(NodeId host) const { return neighbours_[host].empty() ? host : neighbours_[host].front(); }
  std::vector<NodeId> SwitchesHere(NodeId src, NodeId dst, uint16_t source_port) const;

  const Topology& topology_;
  const std::vector<RouteTable> routes_;
  const EcmpPaths paths_;
  std::vector<uint32_t> ids_;                    ///< by node
  std::vector<std::vector<NodeId>> neighbours_;  ///< by node: switches, the latest first
  std::map<NodeId, NextHops> next_hops_;
};

}  // namespace headroom

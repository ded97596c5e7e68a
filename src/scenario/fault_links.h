// The links that a fault is about.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "scenario/fault_parameters.h"

namespace headroom {

/// Those between two nodes, or between ports of theirs where these are given, in the order of the topology.
std::vector<uint32_t> LinksBetween(NodeId node_a, std::optional<uint32_t> port_a, NodeId node_b,
                                   std::optional<uint32_t> port_b, const Topology& topology);

/// Of a fault with both directions of links.
template <class F>
std::vector<uint32_t> LinksOf(const F& fault, const Topology& topology) {
  return LinksBetween(fault.a, fault.port_a, fault.b, fault.port_b, topology);
}

}  // namespace headroom

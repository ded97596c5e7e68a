// The links that a fault affects.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "scenario/fault_parameters.h"

namespace headroom {

/// The links between two nodes, or between given ports of theirs, in the order of the topology.
std::vector<uint32_t> LinksBetween(NodeId node_a, std::optional<uint32_t> port_a, NodeId node_b,
                                   std::optional<uint32_t> port_b, const Topology& topology);

/// For a fault that affects both directions of links.
template <class F>
std::vector<uint32_t> LinksOf(const F& fault, const Topology& topology) {
  return LinksBetween(fault.a, fault.port_a, fault.b, fault.port_b, topology);
}

}  // namespace headroom

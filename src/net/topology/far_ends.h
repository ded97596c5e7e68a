// The other end of each port's link.
#pragma once

#include <vector>

#include "net/topology/topology.h"

namespace headroom {

struct FarEnd {
  NodeId node = 0;
  uint16_t port = 0;
};

/// Indexed by node and port; ports are in the order of the topology's links.
std::vector<std::vector<FarEnd>> FarEnds(const Topology& topology);

}  // namespace headroom

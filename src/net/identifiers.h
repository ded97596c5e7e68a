// Names of things of a network as dense numbers.
#pragma once

#include <cstdint>

namespace headroom {

/// A host or switch: its place in the topology's list of nodes, hosts first.
using NodeId = uint32_t;

}  // namespace headroom

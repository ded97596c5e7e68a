// The links that a fault is about.
#pragma once

#include <cstdint>
#include <vector>

#include "net/topology/topology.h"
#include "scenario/fault_parameters.h"

namespace headroom {

/// Those that go down, in the order of the topology.
std::vector<uint32_t> LinksOf(const LinkDownFault& fault, const Topology& topology);

}  // namespace headroom

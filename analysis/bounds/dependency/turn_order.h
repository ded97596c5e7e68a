// A fast proof that no buffer dependency is cyclic (buffer_dependency.h), for networks of many racks.
#pragma once

#include <vector>

#include "analysis/bounds/fabric.h"

namespace headroom {

/// One host of each place. Hosts on the same switches are reached over the same links between switches.
std::vector<NodeId> OneHostOfEachPlace(const Topology& topology);

/// True only if links between switches cannot wait for each other in a cycle. Counts frames of all
/// destinations at every switch, whether or not paths of hosts lead there. So false proves nothing. Takes
/// time in proportion to the changes of next hops from one destination to the next, at all ports. REQUIRES:
/// switches do not change the priority of frames.
bool CannotWaitInCycle(const Fabric& fabric, const std::vector<NodeId>& places);

}  // namespace headroom

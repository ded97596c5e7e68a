// Whether lossless traffic can wait for itself in a circle: the cyclic buffer dependency of a network.
//
// A frame that came over link l into a switch, and has to leave over link m, occupies the group of l until
// the queue of m may send. While the group is full, l is paused. So l waits for m, and where links wait for
// one another in a circle, full buffers all along it stop for good. Which links follow one another is decided
// by the routes alone. Sources: Dally and Seitz, Deadlock-free message routing in multiprocessor
// interconnection networks, IEEE Transactions on Computers 1987 (the graph); Hu et al., Deadlocks in
// datacenter networks, HotNets 2016 (with PFC).
#pragma once

#include <vector>

#include "analysis/bounds/fabric.h"

namespace headroom {

/// A shortest cycle of links between switches in which each waits for the next, through one of its links;
/// empty without any. The routes are those of all pairs of hosts, with all equal paths; a link counts where
/// both its ends have PFC.
std::vector<PathHop> FindBufferCycle(const Fabric& fabric);

}  // namespace headroom

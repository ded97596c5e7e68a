// Decides whether lossless traffic can wait for itself in a cycle: the cyclic buffer dependency of a network.
//
// A frame that entered a switch over link l, and must leave over link m, occupies the group of l until the
// queue of m may send. While the group is full, l is paused. So l waits for m. If links wait for each other
// in a cycle, full buffers along it stop all traffic permanently. Only the routes determine which links
// follow each other. Sources: Dally and Seitz, Deadlock-free message routing in multiprocessor
// interconnection networks, IEEE Transactions on Computers 1987 (the graph); Hu et al., Deadlocks in
// datacenter networks, HotNets 2016 (with PFC).
#pragma once

#include <vector>

#include "analysis/bounds/fabric.h"

namespace headroom {

/// A shortest cycle of links between switches in which each waits for the next, through one of its links;
/// empty if there is none. The routes are those of all pairs of hosts, with all equal paths; a link counts if
/// both its ends have PFC.
std::vector<PathHop> FindBufferCycle(const Fabric& fabric);
/// The same by a search through all paths between these hosts, which stand for all hosts. It takes time in
/// proportion to the square of their number.
std::vector<PathHop> FindBufferCycle(const Fabric& fabric, const std::vector<NodeId>& places);

}  // namespace headroom

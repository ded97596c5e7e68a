// The distance between two hosts: a flow takes one of several equal paths, whose links may differ.
#pragma once

#include <optional>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/ideal_time.h"

namespace headroom {

/// No flow between the two takes less time than along `best`, or more than along `worst`. Each of their hops
/// has the minimum or the maximum latency and delay, and the highest or the lowest rate, of all equal paths.
struct PathRange {
  std::vector<IdealHop> best, worst;  ///< empty: there is no path
};
PathRange RangeBetween(const Fabric& fabric, NodeId from, NodeId to);
/// The minimum time, along `best`, from posting a message of this size and operation until it is at its
/// receiver; none if there is no path.
std::optional<Time> LeastArrival(const Fabric& fabric, NodeId from, NodeId to, Bytes size,
                                 Operation operation);

/// For each host, the numbers of its NIC and links that decide its distance from others. Hosts with equal
/// numbers are equally far from all nodes, except from their own neighbours in a rack.
std::vector<std::vector<int64_t>> HostKinds(const Fabric& fabric);

}  // namespace headroom

// How far apart two hosts are: of equal paths a flow takes one, and links of equal paths may differ.
#pragma once

#include <optional>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/ideal_time.h"

namespace headroom {

/// No flow between the two takes less than along `best`, or more than along `worst`. Each hop of them has the
/// least or the most latency and delay, and the highest or the lowest rate, of all equal paths.
struct PathRange {
  std::vector<IdealHop> best, worst;  ///< empty: there is no path
};
PathRange RangeBetween(const Fabric& fabric, NodeId from, NodeId to);
/// The least time from posting such a message until it is at its receiver, along `best`; none: there is no
/// path.
std::optional<Time> LeastArrival(const Fabric& fabric, NodeId from, NodeId to, Bytes size,
                                 Operation operation);

/// The ends of a link and of its hosts that make a difference to others: hosts with equal numbers are as far
/// from everything else, but for their own neighbours in a rack.
std::vector<std::vector<int64_t>> HostKinds(const Fabric& fabric);

}  // namespace headroom

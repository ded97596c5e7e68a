// Between which hosts a workload's messages go, and over which links.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "workload/parameters.h"

namespace headroom {

/// The expected shares of a workload's messages.
struct TrafficShares {
  std::vector<double> out, in;  ///< by host; the sum of each is 1
  std::vector<double> between;  ///< by rack of the sender × number of racks + rack of the receiver

  /// The way of the answers.
  TrafficShares Reversed(size_t racks) const;
};

/// Arrivals that are drawn count as equally likely, those that are listed as they are.
TrafficShares SharesOf(const WorkloadParameters& workload, const Fabric& fabric);

/// By directed link: how often a message crosses it on average, where every node spreads flows evenly over
/// its equal next hops.
std::vector<double> ExpectedCrossings(const TrafficShares& shares, const Fabric& fabric);

}  // namespace headroom

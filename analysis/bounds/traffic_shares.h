// The hosts between which a workload's messages are sent, and the links that they use.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "workload/parameters.h"

namespace headroom {

/// Traffic from host to host in any unit, for example shares of a workload's messages with the sum 1.
struct TrafficShares {
  std::vector<double> out, in;  ///< indexed by host
  std::vector<double> between;  ///< by rack of the sender × number of racks + rack of the receiver

  /// The traffic of the answers.
  TrafficShares Reversed(size_t racks) const;
};

/// Adds up the traffic from one host to another. Traffic of a host to itself uses no link, and is left out.
class TrafficSums {
 public:
  explicit TrafficSums(const Fabric& fabric);
  void Add(NodeId from, NodeId to, double amount);
  const TrafficShares& sums() const { return sums_; }

 protected:
  double& Between(NodeId from, uint32_t rack) { return sums_.between[fabric_.RackOf(from) * racks_ + rack]; }

  const Fabric& fabric_;
  size_t racks_;
  TrafficShares sums_;
};

/// The expected shares of a workload's messages, with the sum 1. Random arrivals count as equally likely,
/// listed ones exactly.
TrafficShares SharesOf(const WorkloadParameters& workload, const Fabric& fabric);
/// The shares of messages whose data come from hosts for which `sends` is true.
TrafficShares SharesOf(const WorkloadParameters& workload, const Fabric& fabric,
                       const std::function<bool(NodeId)>& sends);

/// Indexed by directed link: how often a message crosses it on average, if every node spreads flows evenly
/// over its equal next hops.
std::vector<double> ExpectedCrossings(const TrafficShares& shares, const Fabric& fabric);

}  // namespace headroom

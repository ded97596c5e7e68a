// Sums the traffic between hosts: both directions of a message with its acknowledgements, and with the
// headers of both ends' congestion controls.
#pragma once

#include <vector>

#include "analysis/bounds/services/wire_cost.h"
#include "analysis/bounds/traffic_shares.h"

namespace headroom {

class WireSums {
 public:
  /// `rules`: without headers of controls.
  WireSums(const Fabric& fabric, const WireRules& rules);

  void Add(NodeId from, NodeId to, const BothDirections& both, double times);

  const WireRules& rules() const { return rules_; }
  /// Bytes with preamble and gap, and frames.
  const TrafficShares& bytes() const { return bytes_.sums(); }
  const TrafficShares& frames() const { return frames_.sums(); }

 private:
  const WireRules rules_;
  const std::vector<ControlHeaders> headers_;  ///< indexed by host
  TrafficSums bytes_, frames_;
};

}  // namespace headroom

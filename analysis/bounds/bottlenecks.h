// Finds the switch ports at which flows compete: where each flow gets least, by water-filling over all flows
// of a scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/flows.h"

namespace headroom {

struct SharedFlow {
  Flow flow;
  size_t workload = 0;  ///< index of the workload
  FlowHops hops;
  double rate_bps = 0;  ///< max-min fair rate on the wire
  std::optional<size_t>
      bottleneck;  ///< index of the bottleneck; none: only the sender's own link or window limits the flow
};

/// A full class at a switch port, and the flows that it limits: the first such port on their paths.
struct Bottleneck {
  PathHop hop;
  uint8_t priority = 0;
  std::vector<size_t> flows;  ///< indices of the flows
  double share_bps = 0;       ///< their total rate on the wire
};

struct SharedFlows {
  std::vector<SharedFlow> flows;
  std::vector<Bottleneck> bottlenecks;  ///< in the order of their first flows
  std::vector<std::string> at_a_rate;   ///< workloads without lasting flows: Poisson arrivals
  bool too_many = false;  ///< too many flows to share out individually; then the other members are empty
};

/// Shares out all flows of all workloads at once, as if each always had data to send; ACKs do not count.
SharedFlows ShareOut(const Fabric& fabric);

}  // namespace headroom

// Where flows meet: the switch port at which each gets least, by water-filling over all flows of a scenario.
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
  size_t workload = 0;  ///< index
  WayHops ways;
  double rate_bps = 0;  ///< max-min fair, on the wire
  std::optional<size_t>
      bottleneck;  ///< index; none: nothing but the sender's own link or window holds it back
};

/// A class at a switch port that is full, and the flows that it holds back: the first such port on their
/// ways.
struct Bottleneck {
  PathHop hop;
  uint8_t priority = 0;
  std::vector<size_t> flows;  ///< indices
  double share_bps = 0;       ///< theirs together, on the wire
};

struct SharedFlows {
  std::vector<SharedFlow> flows;
  std::vector<Bottleneck> bottlenecks;  ///< in the order of their first flows
  std::vector<std::string> at_a_rate;   ///< workloads that have no flows that last: Poisson arrivals
  bool too_many = false;                ///< to share out one by one; then there is nothing else
};

/// All flows of all workloads at once, as if each always had something to send; ACKs do not count.
SharedFlows ShareOut(const Fabric& fabric);

}  // namespace headroom

// Whether the routes let lossless traffic come to a standstill.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"
#include "sim/units.h"

namespace headroom {

/// Queues "s0:p1" each of which waits for the next, the last for the first.
using QueueCircle = std::vector<std::string>;

struct DeadlockCheck {
  bool lossless = false;  ///< there is a lossless class, and PFC somewhere
  QueueCircle cycle;      ///< of the routes at the start; empty: none
  /// The cycle of the routes from `at` on, without links that are down: "s0:p2 – s2:p2, …".
  struct Later {
    Time at;
    std::string down;
    QueueCircle cycle;
  };
  std::vector<Later> later;  ///< in the order of time, each circle once
  size_t changes = 0;        ///< sets of links that faults take out of the routes: so many were looked at
  bool all_changes = true;   ///< false: there are more
  std::string classes;       ///< lossless, "storage, bulk"
};

DeadlockCheck CheckDeadlock(const Fabric& fabric, Findings& findings);

}  // namespace headroom

// Whether the routes permit lossless traffic to deadlock.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"
#include "sim/units.h"

namespace headroom {

/// Queues such as "s0:p1". Each queue waits for the next, and the last waits for the first.
using QueueCircle = std::vector<std::string>;

struct DeadlockCheck {
  bool lossless = false;  ///< there is a lossless class, and PFC at some port
  QueueCircle cycle;      ///< cycle of the routes at the start; empty if there is none
  /// The cycle of the routes from `at` on, without links that are down: "s0:p2 – s2:p2, …".
  struct Later {
    Time at;
    std::string down;
    QueueCircle cycle;
  };
  std::vector<Later> later;  ///< in the order of time, each cycle once
  size_t changes = 0;        ///< number of checked sets of links that faults remove from the routes
  bool all_changes = true;   ///< false if there are further sets
  std::string classes;       ///< lossless classes, for example "storage, bulk"
};

DeadlockCheck CheckDeadlock(const Fabric& fabric, Findings& findings);

}  // namespace headroom

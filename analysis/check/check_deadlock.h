// Whether the routes let lossless traffic come to a standstill.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

struct DeadlockCheck {
  bool lossless = false;  ///< there is a lossless class, and PFC somewhere
  std::vector<std::string>
      cycle;            ///< queues "s0:p1" each of which waits for the next, the last for the first
  std::string classes;  ///< lossless, "storage, bulk"
};

DeadlockCheck CheckDeadlock(const Fabric& fabric, Findings& findings);

}  // namespace headroom

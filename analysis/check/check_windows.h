// Where a window of queue pairs is smaller than what their paths hold.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// A note for each window that keeps a queue pair below its line's rate.
void JudgeWindows(const Fabric& fabric, Findings& findings);

}  // namespace headroom

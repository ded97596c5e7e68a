// Finds windows of queue pairs that are smaller than the capacity of their paths.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// A note for each window that keeps a queue pair below its line rate. Unless packets are `ordered`, it has
/// no remedy: in a larger window, more packets are sent again.
void JudgeWindows(const Fabric& fabric, bool ordered, Findings& findings);

}  // namespace headroom

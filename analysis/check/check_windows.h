// Finds windows of queue pairs that are smaller than the capacity of their paths.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// A note for each window that keeps a queue pair below its line rate.
void JudgeWindows(const Fabric& fabric, Findings& findings);

}  // namespace headroom

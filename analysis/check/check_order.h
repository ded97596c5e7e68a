// Whether packets of one flow may overtake each other where a receiver takes that for a loss.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// Warns of workloads whose packets may take several paths, or cross links that delay them at random, where
/// their senders answer a gap by sending packets again that were not lost.
void JudgeOrder(const Fabric& fabric, Findings& findings);

}  // namespace headroom

// Whether packets of one flow may overtake each other when the receiver interprets that as a loss.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// Warns of workloads whose packets may take several paths, or cross links with random delays, if their
/// senders then retransmit packets that were not lost.
void JudgeOrder(const Fabric& fabric, Findings& findings);

}  // namespace headroom

// Messages that cannot end before the deadline, even with the network to themselves.
#pragma once

#include "analysis/bounds/fabric.h"
#include "analysis/check/check_flows.h"
#include "sim/finding.h"

namespace headroom {

/// Of workloads with a known size whose flows, in `flows`, have no finding of being too long yet. The bursts
/// of an incast are judged as a whole (check_traffic.h).
void JudgeDeadline(const Fabric& fabric, const FlowsChecks& flows, Findings& findings);

}  // namespace headroom

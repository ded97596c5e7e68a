// Messages that cannot end before the deadline, even with the network to themselves.
#pragma once

#include "analysis/bounds/fabric.h"
#include "analysis/check/check_flows.h"
#include "sim/finding.h"

namespace headroom {

/// For workloads of known size whose flows, in `flows`, have no finding about their duration yet. The bursts
/// of an incast are judged together (check_traffic.h).
void JudgeDeadline(const Fabric& fabric, const FlowsChecks& flows, Findings& findings);

}  // namespace headroom

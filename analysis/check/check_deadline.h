// Messages that cannot end before the deadline, or in the warm-up, even with the network to themselves.
#pragma once

#include "analysis/bounds/fabric.h"
#include "analysis/check/check_flows.h"
#include "sim/finding.h"

namespace headroom {

/// For workloads of known size whose flows, in `flows`, have no finding about their duration yet. The bursts
/// of an incast are judged together (check_traffic.h).
void JudgeDeadline(const Fabric& fabric, const FlowsChecks& flows, Findings& findings);

/// For workloads that start in the warm-up and whose first message cannot end in it. All messages that are
/// then open do not count.
void JudgeWarmup(const Fabric& fabric, Findings& findings);

}  // namespace headroom

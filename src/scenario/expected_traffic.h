// The expected amounts of workloads, before the run.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// Data packets of a workload's messages on all legs, without retransmissions.
double ExpectedPackets(const WorkloadParameters& workload, const Scenario& scenario);

/// The most queue pairs that a workload makes, by source. For workloads with a queue pair per message: one
/// for each, as if no message ended before the next.
std::vector<double> ExpectedQueuePairs(const WorkloadParameters& workload, const Scenario& scenario);

}  // namespace headroom

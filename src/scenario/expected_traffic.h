// What workloads amount to, as expected before the run.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// Data packets of a workload's messages on all legs, none of them sent twice.
double ExpectedPackets(const WorkloadParameters& workload, const Scenario& scenario);

/// The most queue pairs that a workload makes, by source. One for each message if the workload has that: as
/// if none were done before the next.
std::vector<double> ExpectedQueuePairs(const WorkloadParameters& workload, const Scenario& scenario);

}  // namespace headroom

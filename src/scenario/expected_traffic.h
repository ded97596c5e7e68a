// What workloads amount to, as expected before the run.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// Messages that a workload offers, or I/Os.
double ExpectedMessages(const WorkloadParameters& workload, const Scenario& scenario);

/// Payload bytes of a message, on average; 0 where there is none.
double MeanMessage(const WorkloadParameters& workload);

/// Data packets of these messages, none of them sent twice.
/// How often an average I/O's data go from host to host: once, and with a back leg by a front end, the
/// partition server and, as writes, to all replicas.
double LegsOfIo(const IoArrivals& io, const Scenario& scenario);
/// On all legs.
double ExpectedPackets(const WorkloadParameters& workload, const Scenario& scenario);

/// The most queue pairs that a workload makes, by source. One for each message where it asks for that: as if
/// none were done before the next.
std::vector<double> ExpectedQueuePairs(const WorkloadParameters& workload, const Scenario& scenario);

}  // namespace headroom

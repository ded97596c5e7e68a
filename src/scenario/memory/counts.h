// The number of messages and operations that a workload has open at the same time: expected, and maximum.
#pragma once

#include "scenario/scenario.h"
#include "sim/footprint.h"

namespace headroom {

/// The messages or operations that have begun and are not over, including waiting ones. `count`: as in
/// Arrivals::Count.
/// `paused_share`: PausedShareOf the scenario.
Forecast OpenOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count,
                double paused_share);

/// Data packets on the wire, without retransmissions, for `count` messages or operations.
Forecast PacketsOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count);

}  // namespace headroom

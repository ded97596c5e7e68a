// How many messages and operations a workload has open at a time: as expected, and at most.
#pragma once

#include "scenario/scenario.h"
#include "sim/footprint.h"

namespace headroom {

/// Those that have begun and are not over, waiting ones among them. `count`: as Arrivals::Count.
Forecast OpenOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count);

/// Packets of data on the wire, without repetitions, of `count` messages or operations.
Forecast PacketsOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count);

}  // namespace headroom

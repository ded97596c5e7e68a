// How many messages and operations a workload makes, and how many of them are open at a time: as expected,
// and at most.
#pragma once

#include "scenario/scenario.h"
#include "sim/footprint.h"

namespace headroom {

/// Messages of a workload, or operations. At most: what its arrivals, the lines of its hosts and the
/// processors that post let through.
Forecast CountOf(const WorkloadParameters& workload, const Scenario& scenario);

/// Those that have begun and are not over, waiting ones among them. `count`: as CountOf.
Forecast OpenOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count);

/// How long an open loop goes on until all that it asked for is done, as a multiple of the time in which it
/// asks: more than 1 where it asks for more than lines and cores let through.
double StretchOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count);

/// Switches on the longest path, at most, without faults.
double SwitchesOnPath(const Topology& topology);

/// Packets of data on the wire, none of them sent twice, of `count` messages or operations.
Forecast PacketsOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count);

}  // namespace headroom

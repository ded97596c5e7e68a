// What a SONiC configuration would have to say for its switch to mark and pause as a scenario's does.
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "switch/sonic/changes.h"
#include "switch/sonic/config.h"

namespace headroom {

/// ECN thresholds of switch `node`: for each class, of the WRED profiles that the configuration binds to its
/// queue. A class that shares its profile with another wants the same values, or is refused; so are ports
/// that share one and differ in rate where the thresholds scale with it. Only what differs is in the result,
/// checked by CheckSonicChanges. Throws SonicRefusal, and std::invalid_argument where the configuration binds
/// no profile to a queue that the scenario marks, or marks the data of a workload that the scenario does not.
std::vector<SonicChange> EcnChanges(const SonicConfig& config, const Scenario& scenario, NodeId node);

/// Pools and profiles by name: sizes, thresholds and headroom. Names that only one side has are left alone.
std::vector<SonicChange> BufferChanges(const SonicConfig& config, const BufferParameters& wanted);

}  // namespace headroom

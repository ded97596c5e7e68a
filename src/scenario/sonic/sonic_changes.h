// The values that a SONiC configuration needs for its switch to mark and pause as a scenario's does.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "sonic/edit/changes.h"
#include "sonic/tables/config.h"

namespace headroom {

/// The WRED profiles that the configuration of switch `node` binds to the queues of a class at linked ports,
/// and those queues. REQUIRES: the switch has a configuration.
std::map<std::string, std::set<uint8_t>> WredProfilesInUse(const SonicConfig& config,
                                                           const Scenario& scenario, NodeId node,
                                                           const TrafficClass& c);

/// ECN thresholds of switch `node`: of the WRED profiles that the configuration binds to the queues of
/// classes. A class that shares its profile with another wants the same values, or is refused; so are ports
/// that share one and differ in rate where the thresholds scale with it. The result has only differences.
/// Throws std::invalid_argument where the configuration binds no profile to a queue that the scenario marks,
/// or marks the data of a workload that the scenario does not.
std::vector<SonicChange> EcnChanges(const SonicConfig& config, const Scenario& scenario, NodeId node);

/// Times and action of the watchdogs in PFC_WD, at linked ports that have a row there, and the poll interval.
/// Throws std::invalid_argument where ports that share a row want different ones. REQUIRES: the switch has a
/// configuration.
std::vector<SonicChange> WatchdogChanges(const SonicConfig& config, const Scenario& scenario, NodeId node);

/// The ports of a switch that the scenario links, in the order of their links.
std::vector<ChipPort> PortsOf(const Topology& topology, NodeId node);

/// Pools and profiles by name: sizes, thresholds and headroom. Names that only one side has are left alone.
std::vector<SonicChange> BufferChanges(const SonicConfig& config, const BufferParameters& wanted);

/// From one configuration to another of the same switch: `wanted` is the text of the scenario's own, with
/// `fields` changed. Sizes, thresholds and headroom, and what `fields` names; rows that only one side has are
/// left alone.
std::vector<SonicChange> TableChanges(const SonicConfig& config, const std::string& wanted,
                                      const std::vector<SonicField>& fields);

}  // namespace headroom

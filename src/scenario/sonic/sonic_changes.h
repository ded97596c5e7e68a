// The values that a SONiC configuration needs so that its switch marks and pauses like a scenario's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "sonic/edit/changes.h"
#include "sonic/tables/config.h"

namespace headroom {

/// The WRED profiles that the configuration of switch `node` binds to a class's queues at linked ports, and
/// these queues. REQUIRES: the switch has a configuration.
std::map<std::string, std::set<uint8_t>> WredProfilesInUse(const SonicConfig& config,
                                                           const Scenario& scenario, NodeId node,
                                                           const TrafficClass& c);

/// ECN thresholds of switch `node`, for the WRED profiles that the configuration binds to the queues of
/// classes. Classes that share a profile and need different values are refused. So are ports that share a
/// profile and differ in rate, if the thresholds scale with the rate. The result contains only differences.
/// Throws std::invalid_argument if the configuration binds no profile to a queue that the scenario marks, or
/// marks workload data that the scenario does not.
std::vector<SonicChange> EcnChanges(const SonicConfig& config, const Scenario& scenario, NodeId node);

/// Times and actions of the watchdogs in PFC_WD, at linked ports with a row there, and the poll interval.
/// Throws std::invalid_argument if ports that share a row need different values. REQUIRES: the switch has a
/// configuration.
std::vector<SonicChange> WatchdogChanges(const SonicConfig& config, const Scenario& scenario, NodeId node);

/// The ports of a switch that the scenario links, in the order of their links.
std::vector<ChipPort> PortsOf(const Topology& topology, NodeId node);

/// Pools and profiles by name: sizes, thresholds and headroom. Names that only one side has are not changed.
std::vector<SonicChange> BufferChanges(const SonicConfig& config, const BufferParameters& wanted);

/// The changes from one configuration to another of the same switch: `wanted` is the text of the scenario's
/// configuration, with `fields` changed. They cover sizes, thresholds and headroom, and the fields in
/// `fields`; rows that only one side has are not changed.
std::vector<SonicChange> TableChanges(const SonicConfig& config, const std::string& wanted,
                                      const std::vector<SonicField>& fields);

}  // namespace headroom

// Findings about a scenario without a run: the output of `headroom check`.
#pragma once

#include "analysis/check/buffers/check_headroom.h"
#include "analysis/check/buffers/check_memory.h"
#include "analysis/check/buffers/check_nic_headroom.h"
#include "analysis/check/buffers/check_thresholds.h"
#include "analysis/check/check_configuration.h"
#include "analysis/check/check_deadlock.h"
#include "analysis/check/check_flows.h"
#include "analysis/check/check_fluid.h"
#include "analysis/check/check_nics.h"
#include "analysis/check/check_path.h"
#include "analysis/check/check_topology.h"
#include "analysis/check/check_traffic.h"
#include "analysis/check/check_watchdog.h"
#include "analysis/check/services/check_services.h"
#include "sim/finding.h"

namespace headroom {

struct CheckReport {
  std::vector<SwitchClass> switches;  ///< with pointers into the scenario
  TopologyCheck topology;
  std::vector<ConfigurationCheck> configurations;  ///< for switches with a configuration
  MemoryChecks memory;
  HeadroomChecks headroom;
  std::vector<ThresholdCheck> thresholds;
  std::vector<WatchdogCheck> watchdogs;
  DeadlockCheck deadlock;
  std::vector<NicCheck> nics;
  std::vector<NicHeadroomCheck> nic_headroom;
  ServicesChecks services;
  TrafficCheck traffic;
  FlowsChecks flows;
  FluidChecks fluid;
  std::vector<PathCheck> paths;  ///< if requested
  Findings findings;             ///< errors first, then warnings, then notes
};

/// Sets ns-3's random run to the scenario's seed, so that random choices here equal those of a run.
CheckReport CheckScenario(const Fabric& fabric);

}  // namespace headroom

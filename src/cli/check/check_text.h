// A check as text, for a person: at most 100 columns wide.
#pragma once

#include <string>

#include "analysis/check/check.h"
#include "cli/labelled_line.h"
#include "scenario/read/load.h"

namespace headroom {

/// Prints findings, settings as understood, and derived values.
std::string CheckAsText(const ScenarioFile& file, const CheckReport& report);

/// Prints sections; an empty section has no text.
std::string DescribeScenario(const ScenarioFile& file, const TopologyCheck& topology);
std::string DescribeTopology(const Scenario& scenario, const CheckReport& report);
std::string DescribeHeadroom(const HeadroomChecks& headroom);
std::string DescribeNics(const std::vector<NicCheck>& nics, int64_t mtu);
std::string DescribeNicHeadroom(const std::vector<NicHeadroomCheck>& nics);
std::string DescribeConfigurations(const std::vector<ConfigurationCheck>& checks);
/// Prints the named profiles of switches: pools, thresholds, headroom by speed and length.
std::string DescribeProfiles(const std::vector<SwitchClass>& switches);
std::string DescribeMemory(const MemoryChecks& checks);
std::string DescribePauses(const std::vector<WatchdogCheck>& watchdogs, const DeadlockCheck& deadlock);
std::string DescribeThresholds(const std::vector<ThresholdCheck>& thresholds);
std::string DescribeServices(const ServicesChecks& checks);
std::string DescribeTraffic(const TrafficCheck& traffic, const FlowsChecks& flows);
std::string DescribePaths(const std::vector<PathCheck>& paths);
std::string DescribeEstimate(const ScenarioFile& file, const TrafficCheck& traffic);
std::string DescribeFindings(const Findings& findings);

}  // namespace headroom

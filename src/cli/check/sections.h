// The sections of a check: each as JSON, and as text of at most 100 columns. An empty section has no text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/check/check.h"

namespace headroom {

nlohmann::ordered_json LinkJson(const LinkSpec& link);

nlohmann::ordered_json TopologyJson(const TopologyCheck& topology);
std::string DescribeTopology(const Scenario& scenario, const CheckReport& report);
nlohmann::ordered_json PathJson(const PathCheck& path);
std::string DescribePaths(const std::vector<PathCheck>& paths);

nlohmann::ordered_json NicJson(const NicCheck& nic);
std::string DescribeNics(const std::vector<NicCheck>& nics, int64_t mtu);
nlohmann::ordered_json NicHeadroomJson(const std::vector<NicHeadroomCheck>& nics);
std::string DescribeNicHeadroom(const std::vector<NicHeadroomCheck>& nics);

/// Prints the named profiles of switches: pools, thresholds, headroom by speed and length.
std::string DescribeProfiles(const std::vector<SwitchClass>& switches);
nlohmann::ordered_json HeadroomJson(const HeadroomChecks& headroom);
nlohmann::ordered_json HeadroomPoolsJson(const HeadroomChecks& headroom);
std::string DescribeHeadroom(const HeadroomChecks& headroom);
nlohmann::ordered_json ThresholdsJson(const std::vector<ThresholdCheck>& thresholds);
std::string DescribeThresholds(const std::vector<ThresholdCheck>& thresholds);

nlohmann::ordered_json ConfigurationJson(const ConfigurationCheck& configuration);
std::string DescribeConfigurations(const std::vector<ConfigurationCheck>& checks);
nlohmann::ordered_json MemoryJson(const MemoryChecks& checks);
nlohmann::ordered_json EgressJson(const MemoryChecks& checks);
std::string DescribeMemory(const MemoryChecks& checks);

nlohmann::ordered_json WatchdogsJson(const std::vector<WatchdogCheck>& watchdogs);
nlohmann::ordered_json DeadlockJson(const DeadlockCheck& deadlock);
std::string DescribePauses(const std::vector<WatchdogCheck>& watchdogs, const DeadlockCheck& deadlock);

nlohmann::ordered_json ServicesJson(const ServicesChecks& checks);
nlohmann::ordered_json KeyServicesJson(const ServicesChecks& checks);
nlohmann::ordered_json FailoversJson(const ServicesChecks& checks);
std::string DescribeServices(const ServicesChecks& checks);

nlohmann::ordered_json TrafficJson(const TrafficCheck& traffic);
nlohmann::ordered_json FlowsJson(const FlowsChecks& flows);
std::string DescribeTraffic(const TrafficCheck& traffic, const FlowsChecks& flows);

}  // namespace headroom

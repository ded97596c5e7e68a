// The sections of the table at the end of a run; an empty section has no text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scenario/scenario.h"

namespace headroom {

std::string DescribeMessages(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeParts(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeOperations(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeServices(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribePosting(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeFull(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeHistories(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeEstats(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribePfc(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeMarksAndDrops(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeRails(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeBuffers(const Scenario& scenario, const nlohmann::ordered_json& summary);
std::string DescribeCost(const Scenario& scenario, const nlohmann::ordered_json& summary);

/// The share of a workload's messages or operations that are counted, as a line; empty if all are. `before`:
/// the number left out, of which `unfinished` did not finish.
std::string CountedOf(const std::string& name, double counted, double before, double unfinished,
                      const std::string& what);

}  // namespace headroom

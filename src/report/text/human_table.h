// The table that a run ends with, for a person to read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scenario/scenario.h"

namespace headroom {

/// The essentials of a summary (of one run, or of an Aggregate with intervals), at most 100 columns wide.
/// Completion times and slowdown per workload, PFC by tier or how near it came, ECN, CNPs, drops by reason,
/// buffers, conservation, speed. The scenario gives the switches their tiers.
std::string HumanTable(const Scenario& scenario, const nlohmann::ordered_json& summary);

}  // namespace headroom

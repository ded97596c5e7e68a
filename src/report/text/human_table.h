// The table printed at the end of a run, for a person.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scenario/scenario.h"

namespace headroom {

/// The essentials of a summary (of one run, or of an Aggregate with intervals), at most 100 columns wide. It
/// has completion times and slowdown per workload, PFC by tier or the distance from it, ECN, CNPs, drops by
/// reason, buffers, conservation, speed. The scenario provides the tiers of switches.
std::string HumanTable(const Scenario& scenario, const nlohmann::ordered_json& summary);

}  // namespace headroom

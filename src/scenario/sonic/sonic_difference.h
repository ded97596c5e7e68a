// The differences between a SONiC configuration and the switch of a scenario.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "sonic/tables/config.h"

namespace headroom {

/// Differences between switch `node` and its configuration, in words with table and row. Empty if everything
/// that a switch takes from a configuration is the same. REQUIRES: the switch has a configuration.
std::vector<std::string> SonicDifferences(const SonicConfig& config, const Scenario& scenario, NodeId node);

}  // namespace headroom

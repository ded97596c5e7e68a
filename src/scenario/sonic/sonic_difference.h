// In what a SONiC configuration is not yet the switch of a scenario.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "sonic/tables/config.h"

namespace headroom {

/// Differences of switch `node` from its configuration, in words with table and row. Empty: everything that a
/// switch takes from a configuration is the same. REQUIRES: the switch has a configuration.
std::vector<std::string> SonicDifferences(const SonicConfig& config, const Scenario& scenario, NodeId node);

}  // namespace headroom

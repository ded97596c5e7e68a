// In what a SONiC configuration is not yet the switch of a scenario.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "sonic/tables/config.h"

namespace headroom {

/// What switch `node` has otherwise than the configuration gives it, in words with table and row; empty: they
/// are the same, in all that a switch has of a configuration. REQUIRES: the switch has a configuration.
std::vector<std::string> SonicDifferences(const SonicConfig& config, const Scenario& scenario, NodeId node);

}  // namespace headroom

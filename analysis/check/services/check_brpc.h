// Differences between the scenario and bRPC.
#pragma once

#include "scenario/scenario.h"
#include "sim/finding.h"

namespace headroom {

void CheckBrpc(const Scenario& scenario, Findings& findings);

}  // namespace headroom

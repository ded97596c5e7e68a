// Timeouts of services' queue pairs that outlast the run after a fault that loses frames.
#pragma once

#include "scenario/scenario.h"
#include "sim/finding.h"

namespace headroom {

void CheckTimeouts(const Scenario& scenario, Findings& findings);

}  // namespace headroom

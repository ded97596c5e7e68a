// Work of connection services before they carry payloads.
#pragma once

#include "scenario/scenario.h"
#include "sim/finding.h"

namespace headroom {

/// A workload without requests, because its connections are not ready before arrivals end.
void CheckConnections(const Scenario& scenario, Findings& findings);

}  // namespace headroom

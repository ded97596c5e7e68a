// What the windows of bRPC's connections let through, and what the scenario has otherwise than bRPC.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

void CheckBrpc(const Fabric& fabric, Findings& findings);

}  // namespace headroom

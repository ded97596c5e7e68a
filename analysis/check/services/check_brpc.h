// The throughput that windows of bRPC connections permit, and differences between the scenario and bRPC.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

void CheckBrpc(const Fabric& fabric, Findings& findings);

}  // namespace headroom

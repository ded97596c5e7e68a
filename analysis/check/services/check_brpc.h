// The throughput that windows of bRPC connections allow, and where the scenario differs from bRPC.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

void CheckBrpc(const Fabric& fabric, Findings& findings);

}  // namespace headroom

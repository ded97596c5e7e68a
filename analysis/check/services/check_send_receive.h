// Finds ranks whose concurrent steps cannot fill their line.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

void CheckSendReceive(const Fabric& fabric, Findings& findings);

}  // namespace headroom

// Tensor steps that cannot end in their period, because of their lines or the round trips of their requests.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

void CheckTensors(const Fabric& fabric, Findings& findings);

}  // namespace headroom

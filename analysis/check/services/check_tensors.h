// Steps of tensors that cannot end in their period, by their lines or by the round trips of their requests.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

void CheckTensors(const Fabric& fabric, Findings& findings);

}  // namespace headroom

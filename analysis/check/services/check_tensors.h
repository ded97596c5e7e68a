// Tensor steps whose bytes do not fit through a line in their period.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

void CheckTensors(const Fabric& fabric, Findings& findings);

}  // namespace headroom

// Finds settings that have no effect.
#pragma once

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// Warns of keys that nothing reads and that differ from their defaults: of DCQCN at NICs without DCQCN, and
/// of RDMA at services without RDMA.
void JudgeControls(const Fabric& fabric, Findings& findings);

}  // namespace headroom

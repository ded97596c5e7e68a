// What is found of a workload of type io.
#pragma once

#include "analysis/check/services/io_workload.h"
#include "sim/finding.h"

namespace headroom {

/// What limits it, where that is less than the lines or than what it asks for, and what would change that.
void JudgeIo(const IoWorkload& w, const Fabric& fabric, Findings& findings);

}  // namespace headroom

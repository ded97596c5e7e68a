// Findings on a workload of type io.
#pragma once

#include "analysis/check/services/io_workload.h"
#include "sim/finding.h"

namespace headroom {

/// Reports the workload's limit if it is below the lines or the load, and a remedy.
void JudgeIo(const IoWorkload& w, const Fabric& fabric, Findings& findings);

}  // namespace headroom

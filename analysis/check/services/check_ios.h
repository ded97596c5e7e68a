// Findings on a workload of I/Os: keys of fio jobs.
#pragma once

#include "scenario/scenario.h"
#include "sim/finding.h"

namespace headroom {

/// REQUIRES: the workload is one of I/Os.
void JudgeIo(const WorkloadParameters& workload, Findings& findings);

}  // namespace headroom

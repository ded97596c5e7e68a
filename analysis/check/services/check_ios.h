// Findings on a workload of I/Os: settings that contradict each other, and keys of fio jobs.
#pragma once

#include "scenario/scenario.h"
#include "sim/finding.h"

namespace headroom {

/// REQUIRES: the workload is one of I/Os.
void JudgeIo(const WorkloadParameters& workload, const Scenario& scenario, Findings& findings);

}  // namespace headroom

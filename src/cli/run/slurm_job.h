// A run as a job of Slurm.
#pragma once

#include <string>
#include <vector>

#include "cli/run/series.h"

namespace headroom {

/// Replaces this process by one that submits the only run of `series` as a job with a task for each rank. It
/// prints the job's output and ends with the job's exit code. `sbatch`: further options of sbatch. `json`: as
/// in the command. Throws std::invalid_argument if there are several runs. REQUIRES: CheckSeries.
[[noreturn]] void RunBySlurm(const std::vector<SeriesInput>& series, const std::vector<std::string>& sbatch,
                             bool json);

}  // namespace headroom

// The times of a run, which depend on its workloads.
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Once the workloads are known: fills in the times that are not given and checks that they fit together.
/// duration is needed where a workload goes on by itself (poisson, stream);
/// else it is 10 ms, or just after the last arrival where that is later. deadline is 10 × duration.
/// Errors go to the map's. `entries`: of each workload its place in the list.
void CheckTimes(MapReader& map, Scenario& scenario, const std::vector<size_t>& entries);

}  // namespace headroom

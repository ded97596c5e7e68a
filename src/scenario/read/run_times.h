// The times of a run, which depend on its workloads.
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Once the workloads are known: fills in missing times and checks that they are consistent. duration is
/// needed if a workload continues by itself (poisson, stream). Otherwise it is 10 ms, or just after the last
/// arrival if that is later. deadline is 10 × duration. Errors are added to the map's. `entries`: index in
/// the list, for each workload.
void CheckTimes(MapReader& map, Scenario& scenario, const std::vector<size_t>& entries);

}  // namespace headroom

// Checks that the workloads' senders have targets.
#pragma once

#include <vector>

#include "scenario/workload.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Every sender needs a target other than itself, within its scope and with a path to it.
void CheckTargets(const std::vector<Workload>& workloads, const std::vector<ServiceEntry>& services,
                  const Topology& topology, Errors& errors);

}  // namespace headroom

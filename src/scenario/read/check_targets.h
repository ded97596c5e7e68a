// Whether the senders of the workloads have somebody to send to.
#pragma once

#include <vector>

#include "scenario/workload.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Every sender needs somebody else to send to, within its scope and with a way there.
void CheckTargets(const std::vector<Workload>& workloads, const ServiceLists& services,
                  const Topology& topology, Errors& errors);

}  // namespace headroom

// The source ports of services' queue pairs, as far as a scenario determines them.
#pragma once

#include "scenario/scenario.h"

namespace headroom {

/// The queue pairs of the workload's service, as ServiceSettings::ForEachPort. Those of storage, of stores in
/// processes and of TCP are not known.
void ForEachPort(const WorkloadParameters& workload, const Scenario& scenario, const UsePort& use);

}  // namespace headroom

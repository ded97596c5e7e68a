// Whether the notification points that put marks on ACKs have ACKs to put them on.
#pragma once

#include <vector>

#include "nic/parameters.h"
#include "scenario/workload.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// What is not acknowledged comes to no NIC that tells of marks by its ACKs alone.
void CheckAckFlags(const std::vector<Workload>& workloads, const ServiceLists& services,
                   const Topology& topology, const std::vector<NicParameters>& nics, Errors& errors);

}  // namespace headroom

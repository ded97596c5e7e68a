// What must hold of workloads, services, network and NICs together.
#pragma once

#include <vector>

#include "nic/parameters.h"
#include "scenario/workload.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Every sender needs somebody else to send to, within its scope and with a way there.
void CheckTargets(const std::vector<Workload>& workloads, const ServiceLists& services,
                  const Topology& topology, Errors& errors);

/// What is not acknowledged comes to no NIC that tells of marks by its ACKs alone.
void CheckAckFlags(const std::vector<Workload>& workloads, const ServiceLists& services,
                   const Topology& topology, const std::vector<NicParameters>& nics, Errors& errors);

}  // namespace headroom

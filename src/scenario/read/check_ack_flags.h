// Whether the notification points that put marks on ACKs have ACKs to put them on.
#pragma once

#include <vector>

#include "nic/parameters.h"
#include "scenario/workload.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// A packet without an ACK is invisible to a NIC that reports marks only by its ACKs.
void CheckAckFlags(const std::vector<Workload>& workloads, const ServiceLists& services,
                   const Topology& topology, const std::vector<NicParameters>& nics, Errors& errors);

}  // namespace headroom

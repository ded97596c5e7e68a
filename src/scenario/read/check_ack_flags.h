// Checks that notification points which put marks on ACKs have ACKs.
#pragma once

#include <vector>

#include "nic/parameters.h"
#include "scenario/workload.h"
#include "scenario/yaml/reader.h"
#include "sim/shared_list.h"

namespace headroom {

/// A NIC that reports marks only by ACKs cannot report the mark of a packet without an ACK.
void CheckAckFlags(const std::vector<Workload>& workloads, const std::vector<ServiceEntry>& services,
                   const Topology& topology, const SharedList<NicParameters>& nics, Errors& errors);

}  // namespace headroom

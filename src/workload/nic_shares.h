// The expected shares of a workload's messages between NICs.
#pragma once

#include "workload/arrivals.h"

namespace headroom {

/// As Arrivals::AddShares, but between the NICs that carry the messages.
void AddSharesOfNics(const WorkloadParameters& workload, const HostView& hosts, ShareSink& sink);

}  // namespace headroom

// The way of a lone message through a scenario's network, as IdealCompletion wants it.
#pragma once

#include <vector>

#include "analysis/bounds/ideal_time.h"
#include "net/topology/routing.h"
#include "scenario/scenario.h"

namespace headroom {

/// `data` and `acks` are the hops there and back, as EcmpPath gives them. REQUIRES: neither is empty.
IdealPath IdealPathOf(const Scenario& scenario, const std::vector<PathHop>& data,
                      const std::vector<PathHop>& acks);
/// The path with these hops.
IdealPath IdealPathOf(const Scenario& scenario, std::vector<IdealHop> data, std::vector<IdealHop> acks,
                      NodeId sender, NodeId receiver);

}  // namespace headroom

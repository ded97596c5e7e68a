// The path of a lone message through a scenario's network, in the form that IdealCompletion needs.
#pragma once

#include <vector>

#include "analysis/bounds/ideal_time.h"
#include "net/topology/routing.h"
#include "scenario/scenario.h"

namespace headroom {

/// `data` and `acks` are the hops in both directions, as EcmpPath returns them. REQUIRES: neither is empty.
IdealPath IdealPathOf(const Scenario& scenario, const std::vector<PathHop>& data,
                      const std::vector<PathHop>& acks);
/// The path with these hops.
IdealPath IdealPathOf(const Scenario& scenario, std::vector<IdealHop> data, std::vector<IdealHop> acks,
                      NodeId sender, NodeId receiver);

}  // namespace headroom

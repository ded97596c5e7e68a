// The path of a flow in a scenario, hop by hop, with the scenario's hash seeds.
#pragma once

#include <vector>

#include "scenario/paths/flow_paths.h"

namespace headroom {

inline std::vector<PathHop> PathOf(const Scenario& scenario, const std::vector<RouteTable>& routes,
                                   NodeId src, NodeId dst, uint32_t source_port) {
  return EcmpPaths(scenario.topology, routes, EcmpSeedsOf(scenario)).Of(src, dst, source_port);
}

}  // namespace headroom

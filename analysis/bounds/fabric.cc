#include "analysis/bounds/fabric.h"

#include <map>

namespace headroom {

Fabric::Fabric(const Scenario& scenario, const std::vector<int>& down)
    : scenario_(scenario),
      routes_(RoutesOf(scenario, down)),
      paths_(scenario.topology, routes_, EcmpSeedsOf(scenario)),
      flow_paths_(scenario, routes_, paths_) {
  std::map<NodeId, uint32_t> known;
  for (NodeId host = 0; host < topology().hosts; ++host) {
    const NodeId next = UplinkOf(host).to.node;
    const auto [at, added] = known.try_emplace(next, static_cast<uint32_t>(racks_.size()));
    if (added) racks_.push_back(next);
    rack_of_.push_back(at->second);
  }
  hosts_ = {&scenario.topology, {}, {}, scenario.duration, scenario.warmup};
  for (NodeId host = 0; host < topology().hosts; ++host) hosts_.line_rates.push_back(LineRate(host));
}

}  // namespace headroom

#include "analysis/bounds/fabric.h"

#include <map>

namespace headroom {

Fabric::Fabric(const Scenario& scenario, const std::vector<int>& down)
    : scenario_(scenario),
      routes_(RoutesOf(scenario, down)),
      paths_(scenario.topology, routes_, EcmpSeedsOf(scenario)),
      flow_paths_(scenario, routes_, paths_) {
  hosts_.duration = scenario.duration;
  hosts_.warmup = scenario.warmup;
  hosts_.SetTopology(scenario.topology);
  std::map<Rack, uint32_t> known;
  for (NodeId host = 0; host < topology().hosts; ++host) {
    Rack next;
    for (uint32_t port = 0; port < PortsOf(host); ++port) next.push_back(UplinkOf(host, port).to.node);
    const auto [at, added] = known.try_emplace(next, static_cast<uint32_t>(racks_.size()));
    if (added) racks_.push_back(next);
    rack_of_.push_back(at->second);
  }
}

}  // namespace headroom

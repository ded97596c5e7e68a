#include "analysis/bounds/ideal_path.h"

namespace headroom {
namespace {

std::vector<IdealHop> Hops(const Scenario& scenario, const std::vector<PathHop>& way) {
  std::vector<IdealHop> hops;
  for (const PathHop& hop : way) {
    const LinkSpec& link = scenario.topology.links[hop.link].spec;
    const NodeId from = hop.from.node;
    const uint32_t hosts = scenario.topology.hosts;
    const Time latency =
        from < hosts ? scenario.nics[from].tx_latency : scenario.switches[from - hosts].transit();
    hops.push_back({link.rate, link.delay + link.phy, latency});
  }
  return hops;
}

}  // namespace

IdealPath IdealPathOf(const Scenario& scenario, const std::vector<PathHop>& data,
                      const std::vector<PathHop>& acks) {
  return IdealPathOf(scenario, Hops(scenario, data), Hops(scenario, acks), data.front().from.node,
                     acks.front().from.node);
}

IdealPath IdealPathOf(const Scenario& scenario, std::vector<IdealHop> data, std::vector<IdealHop> acks,
                      NodeId sender, NodeId receiver) {
  const NicParameters &from = scenario.nics[sender], &to = scenario.nics[receiver];
  return {.data = std::move(data),
          .acks = std::move(acks),
          .receiver_rx_latency = to.rx_latency,
          .sender_rx_latency = from.rx_latency,
          .mtu = scenario.mtu,
          .frames = scenario.frames,
          .ack_every = to.transport.ack_every};
}

}  // namespace headroom

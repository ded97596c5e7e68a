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
  const NicParameters& sender = scenario.nics[data.front().from.node];
  const NicParameters& receiver = scenario.nics[acks.front().from.node];
  return {.data = Hops(scenario, data),
          .acks = Hops(scenario, acks),
          .receiver_rx_latency = receiver.rx_latency,
          .sender_rx_latency = sender.rx_latency,
          .mtu = scenario.mtu,
          .frames = scenario.frames,
          .ack_every = receiver.transport.ack_every};
}

}  // namespace headroom

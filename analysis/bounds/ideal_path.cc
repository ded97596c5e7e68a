#include "analysis/bounds/ideal_path.h"

#include "scenario/packet_headers.h"

namespace headroom {

IdealPath IdealPathOf(const Scenario& scenario, const std::vector<PathHop>& data,
                      const std::vector<PathHop>& acks) {
  return IdealPathOf(scenario, IdealHops(scenario, data), IdealHops(scenario, acks), data.front().from.node,
                     acks.front().from.node);
}

IdealPath IdealPathOf(const Scenario& scenario, std::vector<IdealHop> data, std::vector<IdealHop> acks,
                      NodeId sender, NodeId receiver) {
  const NicParameters &from = scenario.nics[sender], &to = scenario.nics[receiver];
  const RecoveryParameters& recovery = from.transport.recovery;
  const bool buffer = recovery.type == RecoveryParameters::Type::sender_window;
  const int64_t window =
      buffer ? recovery.packets : static_cast<int64_t>(WindowPackets(scenario, sender, receiver, data, acks));
  return {.data = std::move(data),
          .acks = std::move(acks),
          .receiver_rx_latency = to.rx_latency,
          .sender_rx_latency = from.rx_latency,
          .mtu = scenario.mtu,
          .frames = FramesOf(scenario, sender),
          .ack_every = to.transport.PacketsPerAck(),
          .window = window,
          .asks = recovery.HasContexts()};
}

}  // namespace headroom

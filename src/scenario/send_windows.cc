#include "scenario/send_windows.h"

#include <algorithm>

#include "congestion/control.h"
#include "nic/transport/psn.h"
#include "scenario/packet_headers.h"

namespace headroom {

std::vector<IdealHop> IdealHops(const Scenario& scenario, const std::vector<PathHop>& path) {
  std::vector<IdealHop> hops;
  for (const PathHop& hop : path) {
    const LinkSpec& link = scenario.topology.links[hop.link].spec;
    const NodeId from = hop.from.node;
    const uint32_t hosts = scenario.topology.hosts;
    const Time latency =
        from < hosts ? scenario.nics[from].tx_latency : scenario.switches[from - hosts].transit();
    hops.push_back({link.rate, link.delay + link.phy, latency, scenario.frames.whole_ns});
  }
  return hops;
}

Time BaseRoundTrip(const Scenario& scenario, NodeId sender, NodeId receiver,
                   const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks) {
  const FrameFormat frames = FramesOf(scenario, sender);
  Time sum = scenario.nics[sender].rx_latency + scenario.nics[receiver].rx_latency;
  const auto add = [&sum](const std::vector<IdealHop>& hops, Bytes on_wire) {
    for (const IdealHop& hop : hops) sum += hop.latency + hop.Takes(on_wire) + hop.delay;
  };
  add(data, frames.OnWire(frames.Data(scenario.mtu, true)));
  add(acks, frames.OnWire(frames.Ack()));
  return sum;
}

uint64_t BandwidthDelayPackets(const Scenario& scenario, NodeId sender, NodeId receiver,
                               const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks) {
  const Time rtt = BaseRoundTrip(scenario, sender, receiver, data, acks);
  return static_cast<uint64_t>((BytesIn(rtt, data.front().rate).v + scenario.mtu - 1) / scenario.mtu);
}

uint64_t WindowPackets(const Scenario& scenario, NodeId sender, NodeId receiver,
                       const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks) {
  const SendWindow& window = scenario.nics[sender].transport.window;
  int64_t packets = static_cast<int64_t>(kPsnWindow);
  if (window.kind == SendWindow::Kind::bytes) {
    packets = window.bytes.v / scenario.mtu;
  } else if (window.kind == SendWindow::Kind::bdp && !data.empty() && !acks.empty()) {
    packets = static_cast<int64_t>(BandwidthDelayPackets(scenario, sender, receiver, data, acks));
  }
  // With fewer packets, no ACK would arrive before the timeout.
  packets = std::max<int64_t>(packets, scenario.nics[receiver].transport.ack_every);
  return std::min(static_cast<uint64_t>(packets), kPsnWindow);
}

bool MarksFirstWindows(const Scenario& scenario) {
  return std::ranges::any_of(scenario.switches, [](const SwitchParameters& s) {
    return s.buffer.policy.type == BufferPolicyParameters::Type::abm;
  });
}

ControlPath ControlPathOf(const Scenario& scenario, NodeId sender, NodeId receiver,
                          const std::vector<IdealHop>& data, const std::vector<IdealHop>& acks) {
  const FrameFormat frames = FramesOf(scenario, sender);
  return {.line = data.front().rate,
          .round_trip = BaseRoundTrip(scenario, sender, receiver, data, acks),
          .mtu = scenario.mtu,
          .full = frames.OnWire(frames.Data(scenario.mtu, false)),
          .window = WindowPackets(scenario, sender, receiver, data, acks),
          .least = static_cast<uint64_t>(scenario.nics[receiver].transport.ack_every)};
}

bool HasControls(const Scenario& scenario) {
  return std::ranges::any_of(scenario.nics, &NicParameters::HasControl);
}

bool HasWindows(const Scenario& scenario) { return std::ranges::any_of(scenario.nics, HasWindow); }

}  // namespace headroom

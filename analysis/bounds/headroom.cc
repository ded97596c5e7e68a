#include "analysis/bounds/headroom.h"

#include <algorithm>

#include "analysis/bounds/tcp_cost.h"
#include "protocol/storage/storage_parameters.h"

namespace headroom {
bool HasTcp(const Scenario& scenario, uint8_t priority) {
  return std::ranges::any_of(scenario.services, [priority](const AnyService& p) {
    const auto* storage = p.Find<StorageParameters>();
    return storage != nullptr && storage->HasTcp(priority);
  });
}

namespace {

Bytes LargestOfTcp(const Scenario& scenario) {
  return Bytes(TcpSegment(scenario.ip_mtu) + TcpOverhead(scenario.ip_mtu));
}

/// The largest frame of queue pairs, and of TCP if a lossless class carries it.
Bytes LargestFrame(const Scenario& scenario) {
  const FrameFormat& frames = scenario.frames;
  Bytes largest = frames.Data(scenario.mtu, true);
  for (const WorkloadParameters& w : scenario.workloads)
    largest = std::max(largest, frames.Data(w.verb, scenario.mtu, true, true));
  for (const TrafficClass& c : scenario.classes) {
    if (!c.name.empty() && c.lossless && HasTcp(scenario, c.priority))
      largest = std::max(largest, LargestOfTcp(scenario));
  }
  return largest;
}

/// The inputs that do not depend on the ends.
LinkHeadroomInput InputOf(const Scenario& scenario, const LinkSpec& link) {
  const FrameFormat& frames = scenario.frames;
  LinkHeadroomInput in;
  in.rate = link.rate;
  in.one_way = link.delay + link.phy;
  if (link.reorder.probability > 0) in.lag = link.reorder.most;
  in.pause_frame = frames.Pfc();
  in.largest_frame = in.reverse_frame = LargestFrame(scenario);
  const auto on_tcp = [](const AnyService& p) {
    return p.Find<StorageParameters>() != nullptr && p->TcpClass();
  };
  if (std::ranges::any_of(scenario.services, on_tcp))
    in.reverse_frame = std::max(in.reverse_frame, LargestOfTcp(scenario));
  in.smallest_frame = std::min({frames.Ack(), frames.Data(1, false), in.largest_frame});
  in.gap = Bytes(frames.gap);
  return in;
}

}  // namespace

LinkHeadroomInput HeadroomInputOfLink(const Scenario& scenario, const TopologyLink& link, NodeId receiver) {
  const uint32_t hosts = scenario.topology.hosts;
  const NodeId peer = link.a.node == receiver ? link.b.node : link.a.node;
  const SwitchParameters& pausing = scenario.switches[receiver - hosts];
  const SwitchParameters& paused = peer < hosts ? pausing : scenario.switches[peer - hosts];

  LinkHeadroomInput in = InputOf(scenario, link.spec);
  in.response = paused.pfc.response;
  in.cell = pausing.buffer.cell;
  return in;
}

LinkHeadroomInput HeadroomInputOfNic(const Scenario& scenario, const TopologyLink& link, NodeId host) {
  const NodeId peer = link.a.node == host ? link.b.node : link.a.node;
  LinkHeadroomInput in = InputOf(scenario, link.spec);
  in.response = scenario.switches[peer - scenario.topology.hosts].pfc.response;
  return in;
}

LinkHeadroom HeadroomOfLink(const Scenario& scenario, const TopologyLink& link, NodeId receiver) {
  return HeadroomAfterXoff(HeadroomInputOfLink(scenario, link, receiver));
}

}  // namespace headroom

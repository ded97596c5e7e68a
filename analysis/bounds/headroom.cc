#include "analysis/bounds/headroom.h"

#include <algorithm>

namespace headroom {
namespace {

Bytes LargestFrame(const Scenario& scenario) {
  const FrameFormat& frames = scenario.frames;
  Bytes largest = frames.Data(scenario.mtu, true);
  for (const WorkloadParameters& w : scenario.workloads)
    largest = std::max(largest, frames.Data(w.verb, scenario.mtu, true, true));
  return largest;
}

}  // namespace

LinkHeadroomInput HeadroomInputOfLink(const Scenario& scenario, const TopologyLink& link, NodeId receiver) {
  const uint32_t hosts = scenario.topology.hosts;
  const NodeId peer = link.a.node == receiver ? link.b.node : link.a.node;
  const SwitchParameters& pausing = scenario.switches[receiver - hosts];
  const SwitchParameters& paused = peer < hosts ? pausing : scenario.switches[peer - hosts];
  const FrameFormat& frames = scenario.frames;

  LinkHeadroomInput in;
  in.rate = link.spec.rate;
  in.one_way = link.spec.delay + link.spec.phy;
  in.response = paused.pfc.response;
  in.pause_frame = frames.Pfc();
  in.largest_frame = in.reverse_frame = LargestFrame(scenario);
  in.smallest_frame = std::min({frames.Ack(), frames.Data(1, false), in.largest_frame});
  in.gap = Bytes(frames.gap);
  in.cell = pausing.buffer.cell;
  return in;
}

LinkHeadroom HeadroomOfLink(const Scenario& scenario, const TopologyLink& link, NodeId receiver) {
  return HeadroomAfterXoff(HeadroomInputOfLink(scenario, link, receiver));
}

}  // namespace headroom

#include "analysis/check/check_overrun.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/bounds/flows.h"
#include "analysis/bounds/group_fill.h"
#include "analysis/check/check_thresholds.h"
#include "workload/generator.h"

namespace headroom {
namespace {

/// What comes to a host over one link of its switch.
struct Inflow {
  double bps = 0, bytes = 0;
};

/// Where senders are drawn, any of them may be: then only those at the target's own switch, each by a port of
/// its own, are known to come by as many.
bool SendersAreKnown(const IncastArrivals& a, const Fabric& fabric) {
  if (a.fan_in == 0 || static_cast<size_t>(a.fan_in) >= a.from.size()) return true;
  return std::ranges::all_of(a.from, [&](NodeId from) {
    return fabric.UplinkOf(from).to.node == fabric.UplinkOf(a.to.front()).to.node;
  });
}

/// By target.
std::map<NodeId, std::vector<Flow>> FlowsAtOnce(const WorkloadParameters& workload, const Fabric& fabric) {
  std::map<NodeId, std::vector<Flow>> flows;
  const auto* incast = std::get_if<IncastArrivals>(&workload.arrivals);
  const auto* stream = std::get_if<StreamArrivals>(&workload.arrivals);
  if (StaysAtHome(workload) || (incast == nullptr && stream == nullptr)) return flows;
  const Time duration = fabric.scenario().duration;
  if (incast != nullptr && (incast->at >= duration || !SendersAreKnown(*incast, fabric))) return flows;
  for (Flow& flow : FlowsOf(workload, fabric, kMostFlows)) {
    if (stream != nullptr) {
      const Time lasts = std::min(stream->stop.value_or(duration), duration) - stream->start;
      flow.bytes = static_cast<double>(fabric.LineRate(flow.from).v) / 8 * std::max(0.0, InSeconds(lasts));
    }
    flows[flow.to].push_back(flow);
  }
  return flows;
}

/// A sender shares its line evenly among all that it sends to.
std::vector<Inflow> InflowsOf(const std::vector<Flow>& flows, size_t targets, const Fabric& fabric) {
  std::map<DirectedLink, Inflow> by_link;
  std::map<NodeId, size_t> of_sender;
  for (const Flow& flow : flows) ++of_sender[flow.from];
  for (const Flow& flow : flows) {
    const std::vector<PathHop> way = fabric.paths().Of(flow.from, flow.to, flow.source_port);
    if (way.size() < 2) continue;
    const PathHop& last = way[way.size() - 2];
    Inflow& in = by_link[fabric.Direction(last)];
    in.bps += static_cast<double>(fabric.LineRate(flow.from).v) /
              static_cast<double>(of_sender[flow.from] * targets);
    in.bps = std::min(in.bps, static_cast<double>(fabric.LinkOf(last).spec.rate.v));
    in.bytes += flow.bytes;
  }
  std::vector<Inflow> inflows;
  for (const auto& [link, in] : by_link) inflows.push_back(in);
  return inflows;
}

Bytes LimitOf(const SharedBuffer::Allowance& queue) {
  return Bytes(queue.reserved + std::llround(ThresholdOf(queue, 1)));
}

/// Of the ports that this host's may be, with one memory, the one whose queue takes most; null where there is
/// none.
const PortClass* PortOf(NodeId host, const Fabric& fabric, const SwitchClass& c, uint8_t priority) {
  const LinkSpec& link = fabric.LinkOf(fabric.UplinkOf(host)).spec;
  const PortClass* most = nullptr;
  for (const PortClass& port : c.ports) {
    const std::vector<SharedBuffer::Allowance>& queue = port.classes[priority].egress;
    if (port.peer != fabric.node(host).tier || port.link != link || queue.size() != 1) continue;
    if (most == nullptr || LimitOf(queue[0]) > LimitOf(most->classes[priority].egress[0])) most = &port;
  }
  return most;
}

bool NothingSlowsDown(const std::vector<Flow>& flows, const Fabric& fabric, const PortClass& port,
                      uint8_t priority) {
  const bool marks = port.classes[priority].ecn.has_value();
  return std::ranges::all_of(flows, [&](const Flow& flow) {
    const NicParameters& nic = fabric.scenario().nics[flow.from];
    return nic.resources.Ideal() && !(marks && nic.Reacts(priority));
  });
}

}  // namespace

std::optional<Overrun> OverrunOf(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic) {
  for (const WorkloadParameters& workload : fabric.scenario().workloads) {
    if (workload.priority != traffic.priority) continue;
    const auto by_target = FlowsAtOnce(workload, fabric);
    for (const auto& [target, flows] : by_target) {
      if (std::ranges::find(c.members, fabric.UplinkOf(target).to.node) == c.members.end()) continue;
      const PortClass* port = PortOf(target, fabric, c, traffic.priority);
      if (port == nullptr || !NothingSlowsDown(flows, fabric, *port, traffic.priority)) continue;
      const std::vector<Inflow> inflows = InflowsOf(flows, by_target.size(), fabric);
      double in = 0;
      for (const Inflow& inflow : inflows) in += inflow.bps;
      const double stays = 1 - static_cast<double>(fabric.LineRate(target).v) / in;  // of what comes
      const GroupFill all = FillBesides(fabric, c, traffic, *port, 0);
      if (stays <= 0 || all.groups == 0) continue;
      const auto groups = static_cast<double>(inflows.size());
      const GroupFill fill = FillBesides(fabric, c, traffic, *port, 0, std::min(1.0, groups / all.groups));
      double held = 0;
      for (const Inflow& inflow : inflows)
        held += std::min(inflow.bytes * stays, static_cast<double>(fill.before_xoff.v) / groups);
      const Bytes limit = LimitOf(port->classes[traffic.priority].egress[0]);
      if (held <= static_cast<double>(limit.v)) continue;
      return Overrun{workload.name, fabric.node(target).name, static_cast<uint32_t>(inflows.size()),
                     Bytes(std::llround(held)), limit};
    }
  }
  return std::nullopt;
}

}  // namespace headroom

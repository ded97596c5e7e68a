#include "analysis/bounds/path_range.h"

#include <algorithm>
#include <set>

#include "analysis/bounds/ideal_path.h"

namespace headroom {
namespace {

void AddHop(const Scenario& s, const LinkSpec& link, NodeId from, IdealHop& best, IdealHop& worst) {
  const uint32_t hosts = s.topology.hosts;
  const Time delay = link.delay + link.phy;
  const Time latency = from < hosts ? s.nics[from].tx_latency : s.switches[from - hosts].transit();
  best = {std::max(best.rate, link.rate), std::min(best.delay, delay), std::min(best.latency, latency)};
  worst = {std::min(worst.rate, link.rate), std::max(worst.delay, delay), std::max(worst.latency, latency)};
}

}  // namespace

PathRange RangeBetween(const Fabric& fabric, NodeId from, NodeId to) {
  PathRange range;
  std::set<NodeId> nodes{from};
  while (!nodes.contains(to)) {
    std::set<NodeId> next;
    IdealHop best{Rate(0), kNever, kNever}, worst{Rate(INT64_MAX), Time(0), Time(0)};
    for (const NodeId node : nodes) {
      for (const uint16_t port : fabric.routes()[node].NextHops(to)) {
        const PathHop& hop = fabric.paths().HopAt(node, port);
        AddHop(fabric.scenario(), fabric.LinkOf(hop).spec, node, best, worst);
        next.insert(hop.to.node);
      }
    }
    if (next.empty()) return {};
    range.best.push_back(best);
    range.worst.push_back(worst);
    nodes = std::move(next);
  }
  return range;
}

std::optional<Time> LeastArrival(const Fabric& fabric, NodeId from, NodeId to, Bytes size,
                                 Operation operation) {
  const PathRange there = RangeBetween(fabric, from, to), back = RangeBetween(fabric, to, from);
  if (there.best.empty() || back.best.empty()) return std::nullopt;
  return IdealArrival(IdealPathOf(fabric.scenario(), there.best, back.best, from, to), size, operation);
}

std::vector<std::vector<int64_t>> HostKinds(const Fabric& fabric) {
  const Scenario& s = fabric.scenario();
  std::vector<std::vector<int64_t>> kinds(s.topology.hosts);
  for (size_t host = 0; host < kinds.size(); ++host) {
    const SendWindow& window = s.nics[host].transport.window;
    kinds[host] = {s.nics[host].tx_latency.v, s.nics[host].rx_latency.v, static_cast<int64_t>(window.kind),
                   window.bytes.v};
  }
  const auto add = [&](const LinkEnd& at, const LinkEnd& peer, const LinkSpec& spec) {
    if (at.node >= kinds.size()) return;
    kinds[at.node].insert(kinds[at.node].end(), {peer.node, spec.rate.v, (spec.delay + spec.phy).v});
  };
  for (const TopologyLink& link : s.topology.links) {
    add(link.a, link.b, link.spec);
    add(link.b, link.a, link.spec);
  }
  return kinds;
}

}  // namespace headroom

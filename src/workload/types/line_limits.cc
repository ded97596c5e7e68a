#include "workload/types/line_limits.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace headroom {

namespace {

Rate Fastest(const std::vector<NodeId>& hosts, const HostView& view) {
  Rate fastest;
  for (const NodeId h : hosts) fastest = std::max(fastest, view.PortRate(h));
  return fastest;
}

/// A message's bytes on a line, with preambles and gaps.
double WireBytes(double payload, const Scenario& s) {
  const double packets = std::max(1.0, std::ceil(payload / static_cast<double>(s.mtu)));
  const auto header = static_cast<double>(s.frames.header), least = static_cast<double>(s.frames.min);
  return std::max(packets * header + payload, least) + packets * static_cast<double>(s.frames.gap);
}

}  // namespace

Forecast Drawn(double mean) {
  constexpr double kDeviations = 6, kFew = 20;
  return {mean, mean + kDeviations * std::sqrt(mean) + kFew};
}

/// Twice the largest distance from one host: a path through that host's switch is at least as long as any
/// path.
double SwitchesOnPath(const Topology& topology) {
  if (topology.hosts == 0 || topology.nodes.size() <= topology.hosts) return 0;
  std::vector<std::vector<NodeId>> next(topology.nodes.size());
  for (const TopologyLink& link : topology.links) {
    next[link.a.node].push_back(link.b.node);
    next[link.b.node].push_back(link.a.node);
  }
  std::vector<uint32_t> hops(topology.nodes.size(), UINT32_MAX);
  std::queue<NodeId> reached;
  hops[0] = 0;
  reached.push(0);
  uint32_t farthest = 0;
  for (; !reached.empty(); reached.pop()) {
    for (const NodeId node : next[reached.front()]) {
      if (hops[node] != UINT32_MAX) continue;
      hops[node] = hops[reached.front()] + 1;
      if (node < topology.hosts) {
        farthest = std::max(farthest, hops[node] - 1);
      } else {
        reached.push(node);
      }
    }
  }
  const auto switches = static_cast<double>(topology.nodes.size() - topology.hosts);
  return std::min(2.0 * farthest, switches);
}

LoneMessage Alone(const HostView& hosts, Bytes size, Time start, const std::vector<NodeId>& from,
                  const std::vector<NodeId>& to) {
  return {size, start, std::min(Fastest(from, hosts), Fastest(to, hosts))};
}

double LineBytes(const std::vector<NodeId>& hosts, Time span, const Scenario& s, const NicRule& nic) {
  HostView view;
  view.SetTopology(s.topology);
  double bytes = 0;
  for (const NodeId host : hosts)
    bytes += static_cast<double>(view.LineRate(host, nic).v) / 8 * InSeconds(span);
  return bytes;
}

Time SpanOf(Time start, const std::optional<Time>& stop, const Scenario& s) {
  return std::max(std::min(stop.value_or(s.duration), s.duration) - start, Time(0));
}

double ThroughLines(const std::vector<NodeId>& from, const std::vector<NodeId>& to, double payload, Time span,
                    const Scenario& s, const NicRule& nic) {
  return std::min(LineBytes(from, span, s, nic), LineBytes(to, span, s, nic)) / WireBytes(payload, s);
}

double ThroughRoundTrips(double open, double trips, Time span, const Scenario& s) {
  double transit = 0, delay = 0;
  for (const SwitchParameters& sw : s.switches) transit += InSeconds(sw.transit());
  for (const TopologyLink& link : s.topology.links) delay += InSeconds(link.spec.delay + link.spec.phy);
  const double switches = SwitchesOnPath(s.topology) / 2;
  transit *= switches / std::max(1.0, static_cast<double>(s.switches.size()));
  delay *= (switches + 1) / std::max(1.0, static_cast<double>(s.topology.links.size()));
  const double each = 2 * trips * (transit + delay);
  return open + (each > 0 ? open * InSeconds(span) / each : INFINITY);
}

double Loopback(const std::vector<NodeId>& from, const std::vector<NodeId>& to, const Scenario& s) {
  constexpr double kFaster = 8;
  const bool any = std::ranges::any_of(
      from, [&](NodeId host) { return !s.nics[host].resources.Ideal() && std::ranges::count(to, host) > 0; });
  return any ? kFaster : 1;
}

}  // namespace headroom

#include "scenario/paths/flow_paths.h"

#include <algorithm>
#include <map>
#include <span>

#include "net/routing/dimension_order.h"

namespace headroom {
namespace {

bool Balances(const NicParameters& nic) { return nic.transport.balancing.Chooses(); }

bool SomeSplit(const Scenario& scenario) {
  return std::ranges::any_of(scenario.switches,
                             [](const SwitchParameters& s) { return s.routing.Splits(); }) ||
         std::ranges::any_of(scenario.nics, Balances);
}

bool InDimensionOrder(const SwitchParameters& s) {
  return s.routing.kind == RoutingParameters::Kind::dimension_order;
}

IdealHop HopOf(const Scenario& s, const PathHop& hop) { return IdealHops(s, {hop}).front(); }

/// Reduces the hops of each distance to a single hop. `keep` merges a hop with another hop of the same
/// distance.
template <class Keep>
std::vector<IdealHop> Combine(const Scenario& s, const FlowHops& hops, Keep keep) {
  std::vector<IdealHop> out;
  for (const std::vector<FlowHop>& at : hops) {
    out.push_back(HopOf(s, at.front().hop));
    for (const FlowHop& each : at) keep(out.back(), HopOf(s, each.hop));
  }
  return out;
}

}  // namespace

std::vector<RouteTable> RoutesOf(const Scenario& scenario, const std::vector<int>& down) {
  const Topology& t = scenario.topology;
  std::vector<RouteTable> tables = down.empty() ? ComputeRoutes(t) : ComputeRoutes(t, down);
  if (std::ranges::none_of(scenario.switches, InDimensionOrder)) return tables;
  const TorusPorts torus(t);
  const auto slots = SlotsOfHosts(t.hosts);
  std::vector<std::vector<uint16_t>> next_hops(t.hosts);
  for (NodeId n = t.hosts; n < t.nodes.size(); ++n) {
    if (!InDimensionOrder(scenario.switches[n - t.hosts])) continue;
    for (NodeId host = 0; host < t.hosts; ++host) next_hops[host] = torus.NextHops(n, host, down);
    tables[n] = TableOf(slots, next_hops);
  }
  return tables;
}

uint32_t EcmpSeedOf(const Scenario& scenario, NodeId node) {
  const Topology& t = scenario.topology;
  const std::string& name = t.nodes[node].name;
  if (node < t.hosts) return EcmpSeed(name);
  const HashSeed& hash = scenario.switches[node - t.hosts].routing.hash_seed;
  if (hash.kind == HashSeed::Kind::fixed) return EcmpSeed(name);
  if (hash.kind == HashSeed::Kind::number) return EcmpSeed(std::to_string(hash.number));
  return EcmpSeed(name + "/hash/" + std::to_string(scenario.seed));
}

std::vector<uint32_t> EcmpSeedsOf(const Scenario& scenario) {
  std::vector<uint32_t> seeds;
  for (NodeId n = 0; n < scenario.topology.nodes.size(); ++n) seeds.push_back(EcmpSeedOf(scenario, n));
  return seeds;
}

FlowPaths::FlowPaths(const Scenario& scenario, const std::vector<RouteTable>& routes, const EcmpPaths& paths)
    : scenario_(scenario), routes_(routes), paths_(paths) {
  some_split_ = SomeSplit(scenario);
}

FlowHops FlowPaths::Of(NodeId src, NodeId dst, uint32_t source_port) const {
  FlowHops hops;
  if (!some_split_) {
    for (const PathHop& hop : paths_.Of(src, dst, source_port)) hops.push_back({{hop, 1}});
    return hops;
  }
  const uint32_t hash = FlowHash(src, dst, source_port);
  const uint32_t hosts = scenario_.topology.hosts;
  const bool balanced = Balances(scenario_.nics[src]);
  std::map<NodeId, double> here{{src, 1.0}};
  while (!here.contains(dst)) {
    std::map<NodeId, double> next;
    std::vector<FlowHop>& at = hops.emplace_back();
    for (const auto& [node, share] : here) {
      std::span<const uint16_t> ports = routes_[node].NextHops(dst);
      if (ports.empty()) return {};
      const uint16_t only = paths_.PortOf(node, dst, hash);
      const bool splits = node >= hosts && (balanced || scenario_.switches[node - hosts].routing.Splits());
      if (!splits) ports = {&only, 1};
      const double each = share / static_cast<double>(ports.size());
      for (const uint16_t port : ports) {
        const PathHop& hop = paths_.HopAt(node, port);
        next[hop.to.node] += each;
        if (!at.empty() && at.back().hop.from.node == node && at.back().hop.from.port_index == port)
          at.back().share += each;  // a weight repeats the hop
        else
          at.push_back({hop, each});
      }
    }
    here = std::move(next);
  }
  return hops;
}

double CountPaths(const FlowHops& hops) {
  std::map<NodeId, double> here;
  double count = 0;
  for (const std::vector<FlowHop>& at : hops) {
    std::map<NodeId, double> next;
    count = 0;
    for (const FlowHop& each : at) {
      const double to_here = here.empty() ? 1 : here[each.hop.from.node];
      next[each.hop.to.node] += to_here;
      count += to_here;
    }
    here = std::move(next);
  }
  return count;
}

bool IsOnePath(const FlowHops& hops) {
  return std::ranges::all_of(hops, [](const auto& at) { return at.size() == 1; });
}

std::vector<IdealHop> LongestHops(const Scenario& scenario, const FlowHops& hops) {
  return Combine(scenario, hops, [](IdealHop& kept, const IdealHop& other) {
    kept = {std::min(kept.rate, other.rate), std::max(kept.delay, other.delay),
            std::max(kept.latency, other.latency), kept.whole_ns};
  });
}

std::vector<IdealHop> ShortestHops(const Scenario& scenario, const FlowHops& hops) {
  return Combine(scenario, hops, [](IdealHop& kept, const IdealHop& other) {
    kept = {std::max(kept.rate, other.rate), std::min(kept.delay, other.delay),
            std::min(kept.latency, other.latency), kept.whole_ns};
  });
}

bool AreAlike(const Scenario& scenario, const FlowHops& hops) {
  return IsOnePath(hops) || LongestHops(scenario, hops) == ShortestHops(scenario, hops);
}

bool MayOvertake(const Scenario& scenario) {
  // Queue pairs of two ports move when a link fails, and return.
  const bool moves =
      std::ranges::any_of(scenario.hosts, [](const HostParameters& host) { return host.bond.has_value(); }) &&
      std::ranges::any_of(scenario.faults,
                          [](const Fault& f) { return std::holds_alternative<LinkDownFault>(f); });
  return moves || SomeSplit(scenario) ||
         std::ranges::any_of(scenario.topology.links,
                             [](const TopologyLink& l) { return l.spec.reorder.probability > 0; });
}

}  // namespace headroom

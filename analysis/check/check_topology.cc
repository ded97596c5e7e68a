#include "analysis/check/check_topology.h"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/bounds/ideal_path.h"

namespace headroom {
namespace {

std::vector<TierCount> CountTiers(const Topology& topology) {
  std::vector<TierCount> tiers;
  for (const TopologyNode& node : topology.nodes) {
    const auto at = std::ranges::find(tiers, node.tier, &TierCount::tier);
    if (at != tiers.end()) {
      ++at->nodes;
    } else {
      tiers.push_back({node.tier, 1});
    }
  }
  return tiers;
}

std::vector<LinkClass> ClassifyLinks(const Topology& topology) {
  std::vector<LinkClass> classes;
  // Hosts come first among the nodes, then tiers upwards: the end with the smaller number is the lower.
  for (const TopologyLink& link : topology.links) {
    const LinkEnd& low = link.a.node < link.b.node ? link.a : link.b;
    const LinkEnd& high = link.a.node < link.b.node ? link.b : link.a;
    const std::string &lower = topology.nodes[low.node].tier, &upper = topology.nodes[high.node].tier;
    const auto at = std::ranges::find_if(classes, [&](const LinkClass& c) {
      return c.lower == lower && c.upper == upper && c.spec == link.spec;
    });
    if (at != classes.end()) {
      ++at->links;
    } else {
      classes.push_back({lower, upper, link.spec, 1, topology.nodes[low.node].name + ":" + low.port});
    }
  }
  return classes;
}

/// Up to two hosts of each rack and kind: they show every distance that exists.
struct Representatives {
  std::vector<NodeId> first, all;
};

Representatives ChooseHosts(const Fabric& fabric) {
  struct HostKind {
    uint32_t rack;
    int64_t rate, delay, tx, rx;
    int ack_every;
    auto operator<=>(const HostKind&) const = default;
  };
  Representatives chosen;
  std::map<HostKind, int> seen;
  for (NodeId host = 0; host < fabric.topology().hosts; ++host) {
    const LinkSpec& link = fabric.LinkOf(fabric.UplinkOf(host)).spec;
    const NicParameters& nic = fabric.scenario().nics[host];
    const int before = seen[{fabric.RackOf(host), link.rate.v, (link.delay + link.phy).v, nic.tx_latency.v,
                             nic.rx_latency.v, nic.transport.ack_every}]++;
    if (before == 0) chosen.first.push_back(host);
    if (before < 2) chosen.all.push_back(host);
  }
  return chosen;
}

std::vector<Distance> Distances(const Fabric& fabric) {
  constexpr size_t kMostPairs = 50'000;
  constexpr uint32_t kSourcePort = 0xC000;
  const Representatives hosts = ChooseHosts(fabric);
  const size_t stride = 1 + hosts.first.size() * hosts.all.size() / kMostPairs;
  std::array<Distance, 4> found;
  for (size_t i = 0; i < hosts.first.size(); i += stride) {
    const NodeId from = hosts.first[i];
    for (const NodeId to : hosts.all) {
      if (from == to) continue;
      const auto there = fabric.paths().Of(from, to, kSourcePort);
      const auto back = fabric.paths().Of(to, from, kSourcePort);
      if (there.empty() || back.empty()) continue;
      const Time rtt =
          IdealCompletion(IdealPathOf(fabric.scenario(), there, back), Bytes(fabric.scenario().mtu));
      const Bytes bdp = BytesIn(rtt, fabric.LineRate(from));
      const Scope scope = CommonScope(fabric.node(from).place, fabric.node(to).place);
      Distance& d = found[static_cast<size_t>(scope)];
      const bool is_first = d.most_hops == 0;
      if (is_first || rtt < d.least_rtt) {
        d.from = fabric.node(from).name;
        d.to = fabric.node(to).name;
      }
      d.scope = scope;
      d.least_hops = is_first ? there.size() : std::min(d.least_hops, there.size());
      d.least_rtt = is_first ? rtt : std::min(d.least_rtt, rtt);
      d.least_bdp = is_first ? bdp : std::min(d.least_bdp, bdp);
      d.most_hops = std::max(d.most_hops, there.size());
      d.most_rtt = std::max(d.most_rtt, rtt);
      d.most_bdp = std::max(d.most_bdp, bdp);
    }
  }
  std::vector<Distance> distances(found.begin(), found.end());
  std::erase_if(distances, [](const Distance& d) { return d.most_hops == 0; });
  return distances;
}

}  // namespace

Scope CommonScope(const Place& a, const Place& b) {
  if (a.datacenter != b.datacenter) return Scope::region;
  if (a.cluster != b.cluster) return Scope::datacenter;
  return a.rack != b.rack ? Scope::cluster : Scope::rack;
}

const char* ScopeName(Scope scope) {
  switch (scope) {
    case Scope::rack:
      return "rack";
    case Scope::cluster:
      return "cluster";
    case Scope::datacenter:
      return "datacenter";
    case Scope::region:
      break;
  }
  return "region";
}

TopologyCheck CheckTopology(const Fabric& fabric) {
  return {CountTiers(fabric.topology()), ClassifyLinks(fabric.topology()), Distances(fabric)};
}

}  // namespace headroom

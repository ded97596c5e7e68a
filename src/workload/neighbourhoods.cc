// Part of generator.h: the hosts that share a host's place.
#include <map>
#include <tuple>

#include "workload/generator.h"

namespace headroom {

namespace {

std::tuple<int, int, int> KeyOf(const Place& p, Scope scope) {
  switch (scope) {
    case Scope::rack:
      return {p.datacenter, p.cluster, p.rack};
    case Scope::cluster:
      return {p.datacenter, p.cluster, 0};
    case Scope::datacenter:
      return {p.datacenter, 0, 0};
    case Scope::region:
      break;
  }
  return {0, 0, 0};
}

}  // namespace

Neighbourhoods::Neighbourhoods(const Topology& topology, const std::vector<NodeId>& candidates, Scope scope)
    : group_of_(topology.hosts, -1) {
  std::map<std::tuple<int, int, int>, int> group_at;
  for (const NodeId h : candidates) {
    const auto [at, added] =
        group_at.try_emplace(KeyOf(topology.nodes[h].place, scope), static_cast<int>(groups_.size()));
    if (added) groups_.emplace_back();
    groups_[static_cast<size_t>(at->second)].push_back(h);
  }
  for (NodeId h = 0; h < topology.hosts; ++h) {
    const auto at = group_at.find(KeyOf(topology.nodes[h].place, scope));
    if (at != group_at.end()) group_of_[h] = at->second;
  }
}

const std::vector<NodeId>& Neighbourhoods::Of(NodeId host) const {
  return group_of_[host] < 0 ? none_ : groups_[static_cast<size_t>(group_of_[host])];
}

}  // namespace headroom

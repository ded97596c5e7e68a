#include "protocol/storage/extents/placement.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/random.h"

namespace headroom {

namespace {

/// The finaliser of splitmix64 (Steele et al., OOPSLA 2014).
uint64_t Mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

uint64_t HashOf(const std::string& name) {
  uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
  for (const unsigned char c : name) h = (h ^ c) * 0x100000001b3u;
  return Mixed(h);
}

/// Two nodes share a domain if these numbers are equal. If the topology lacks a level, each node is alone in
/// its domain.
std::vector<int> DomainOf(FailureDomain across, const Place& place, NodeId id) {
  switch (across) {
    case FailureDomain::rack:
      if (place.rack >= 0) return {place.datacenter, place.cluster, place.rack};
      break;
    case FailureDomain::cluster:
      if (place.cluster >= 0) return {place.datacenter, place.cluster};
      break;
    case FailureDomain::datacenter:
      if (place.datacenter >= 0) return {place.datacenter};
      break;
    case FailureDomain::host:
      break;
  }
  return {static_cast<int>(id), 0, 0, 0};
}

}  // namespace

Placement::Placement(const std::string& service, FailureDomain across,
                     const std::vector<NodeId>& extent_nodes, const Topology& topology)
    : topology_(topology), across_(across) {
  RandomStream random(service + "/placement");
  salt_ = random.Below(0xffffffff) << 32;
  salt_ |= random.Below(0xffffffff);
  std::map<std::vector<int>, uint32_t> domains;
  for (const NodeId id : extent_nodes) {
    const TopologyNode& node = topology.nodes[id];
    const auto domain =
        domains.try_emplace(DomainOf(across, node.place, id), static_cast<uint32_t>(domains.size())).first;
    nodes_.push_back({id, HashOf(node.name), domain->second, node.place.datacenter});
  }
}

size_t Placement::Nodes(bool local, int datacenter) const {
  return static_cast<size_t>(std::ranges::count_if(
      nodes_, [&](const Node& node) { return !local || node.datacenter == datacenter; }));
}

size_t Placement::Domains(bool local, int datacenter) const {
  std::set<uint32_t> found;
  for (const Node& node : nodes_)
    if (!local || node.datacenter == datacenter) found.insert(node.domain);
  return found.size();
}

size_t Placement::DomainSize(NodeId id) const {
  const auto at = std::ranges::find(nodes_, id, &Node::id);
  return static_cast<size_t>(std::ranges::count(nodes_, at->domain, &Node::domain));
}

Placement::Candidates Placement::CandidatesFor(size_t count, int datacenter) const {
  const bool near = across_ != FailureDomain::datacenter;
  if (near && Domains(true, datacenter) >= count) return {true, true};
  if (near && Nodes(true, datacenter) >= count) return {true, false};
  return {false, Domains(false, datacenter) >= count};
}

bool Placement::Spreads(size_t count, NodeId near) const {
  return CandidatesFor(count, topology_.nodes[near].place.datacenter).domains;
}

std::vector<NodeId> Placement::Reach(size_t count, NodeId near) const {
  const int datacenter = topology_.nodes[near].place.datacenter;
  const bool local = CandidatesFor(count, datacenter).local;
  std::vector<NodeId> reach;
  for (const Node& node : nodes_) {
    if (!local || node.datacenter == datacenter) reach.push_back(node.id);
  }
  return reach;
}

std::vector<NodeId> Placement::Of(uint32_t extent, size_t count, NodeId near) const {
  const int datacenter = topology_.nodes[near].place.datacenter;
  const Candidates from = CandidatesFor(count, datacenter);
  std::vector<std::pair<uint64_t, const Node*>> order;
  for (const Node& node : nodes_) {
    if (from.local && node.datacenter != datacenter) continue;
    order.emplace_back(Mixed(salt_ ^ Mixed(node.name + extent)), &node);
  }
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second->id < b.second->id;
  });
  std::vector<NodeId> chosen;
  std::set<uint32_t> taken;
  for (const auto& [weight, node] : order) {
    if (chosen.size() == count) break;
    if (from.domains && !taken.insert(node->domain).second) continue;
    chosen.push_back(node->id);
  }
  return chosen;
}

}  // namespace headroom

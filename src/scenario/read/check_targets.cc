#include "scenario/read/check_targets.h"

#include "protocol/storage/storage_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace headroom {

namespace {

/// For each node: the smallest id in its connected component.
std::vector<NodeId> Components(const Topology& topology) {
  std::vector<NodeId> parent(topology.nodes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](NodeId n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
  };
  for (const TopologyLink& link : topology.links) {
    const NodeId a = root(link.a.node), b = root(link.b.node);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (NodeId n = 0; n < parent.size(); ++n) parent[n] = root(n);
  return parent;
}

using PlaceKey = std::tuple<int, int, int>;

PlaceKey KeyOf(const Place& place, Scope scope) {
  switch (scope) {
    case Scope::rack:
      return {place.datacenter, place.cluster, place.rack};
    case Scope::cluster:
      return {place.datacenter, place.cluster, 0};
    case Scope::datacenter:
      return {place.datacenter, 0, 0};
    case Scope::region:
      break;
  }
  return {0, 0, 0};
}

/// Services share the cores of a host, and a host's NICs are separate nodes: so they use one NIC of each.
void CheckOneNic(const std::vector<ServiceEntry>& services, const Topology& topology) {
  std::map<NodeId, NodeId> used;
  for (const ServiceEntry& service : services) {
    for (const NodeId nic : service.parameters->Hosts()) {
      const NodeId before = used.emplace(topology.HostOf(nic), nic).first->second;
      if (before != nic)
        throw NotSupportedYet(service.source.where,
                              fmt::format("the use of \"{}\" and \"{}\", NICs of one host, by services",
                                          topology.nodes[before].name, topology.nodes[nic].name),
                              "name one NIC of each host for all services");
    }
  }
}

class Checker final : public TargetCheck {
 public:
  explicit Checker(const Topology& topology) : topology_(topology), component_(Components(topology)) {}

  void Paths(const std::vector<NodeId>& from, const std::vector<NodeId>& to) const override {
    if (rule.kind != NicRule::Kind::rail)
      return PathsOfNics(NicsOfHosts(topology_, rule, from), NicsOfHosts(topology_, rule, to));
    for (uint16_t rail = 0;; ++rail) {
      const std::vector<NodeId> at_from = OnRail(rail, from), at_to = OnRail(rail, to);
      if (at_from.empty() || at_to.empty()) return;
      PathsOfNics(at_from, at_to);
    }
  }

  void PathsOfNics(const std::vector<NodeId>& from, const std::vector<NodeId>& to) const {
    if (from.empty() || to.empty()) return;
    const auto apart = [&](NodeId n) { return component_[n] != component_[from.front()]; };
    auto found = std::find_if(to.begin(), to.end(), apart);
    if (found == to.end()) {
      found = std::find_if(from.begin(), from.end(), apart);
      if (found == from.end()) return;
    }
    throw ScenarioError(where,
                        fmt::format("no path leads from \"{}\" to \"{}\"", Name(from.front()), Name(*found)));
  }

  void Within(const std::vector<NodeId>& hosts, const std::vector<NodeId>& others, Scope scope, int64_t least,
              const char* what) const override {
    std::map<PlaceKey, int64_t> count;
    for (const NodeId other : others) ++count[KeyOf(topology_.nodes[other].place, scope)];
    for (const NodeId host : hosts) {
      const auto found = count.find(KeyOf(topology_.nodes[host].place, scope));
      int64_t n = found == count.end() ? 0 : found->second;
      if (std::binary_search(others.begin(), others.end(), host)) --n;
      if (n < least)
        throw ScenarioError(where, fmt::format("\"{}\" has {} hosts {} within its scope, but needs {}",
                                               Name(host), n, what, least));
    }
    if (hosts.empty()) throw ScenarioError(where, "the workload has no sender");
  }

  Position where;
  NicRule rule{NicRule::Kind::named};

 private:
  std::vector<NodeId> OnRail(uint16_t rail, const std::vector<NodeId>& hosts) const {
    std::vector<NodeId> nics;
    for (const NodeId host : hosts)
      if (rail < topology_.nodes[host].nics) nics.push_back(host + rail);
    return nics;
  }
  const std::string& Name(NodeId node) const { return topology_.nodes[node].name; }

  const Topology& topology_;
  std::vector<NodeId> component_;
};

}  // namespace

void CheckTargets(const std::vector<Workload>& workloads, const std::vector<ServiceEntry>& services,
                  const Topology& topology, Errors& errors) {
  Checker checker(topology);
  for (const Workload& workload : workloads) {
    checker.where = workload.source.where;
    checker.rule = workload.parameters.arrivals->nic;
    errors.Guard([&] { workload.parameters.arrivals->CheckTargets(checker); });
  }
  checker.rule = {NicRule::Kind::named};
  if (!errors.Any()) errors.Guard([&] { CheckOneNic(services, topology); });
  for (const ServiceEntry& service : services) {
    const auto* storage = service.parameters.Find<StorageParameters>();
    if (storage == nullptr) continue;
    checker.where = service.source.where;
    errors.Guard([&] { checker.Paths(storage->compute, storage->extent_nodes); });
  }
}

}  // namespace headroom

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

class Checker final : public TargetCheck {
 public:
  explicit Checker(const Topology& topology) : topology_(topology), component_(Components(topology)) {}

  void Paths(const std::vector<NodeId>& from, const std::vector<NodeId>& to) const override {
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

 private:
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
    errors.Guard([&] { workload.parameters.arrivals->CheckTargets(checker); });
  }
  for (const ServiceEntry& service : services) {
    const auto* storage = service.parameters.Find<StorageParameters>();
    if (storage == nullptr) continue;
    checker.where = service.source.where;
    errors.Guard([&] { checker.Paths(storage->compute, storage->extent_nodes); });
  }
}

}  // namespace headroom

#include "protocol/storage/routes.h"

#include <algorithm>

namespace headroom {

namespace {

/// The number of front ends that a disk may use: the next one if one does not answer in time.
constexpr size_t kFronts = 2;

/// The hosts in this host's datacenter; all hosts if it has none there.
std::vector<NodeId> Near(NodeId host, const std::vector<NodeId>& hosts, const Topology& topology) {
  std::vector<NodeId> near;
  for (const NodeId other : hosts) {
    if (topology.nodes[other].place.datacenter == topology.nodes[host].place.datacenter)
      near.push_back(other);
  }
  return near.empty() ? hosts : near;
}

}  // namespace

size_t StorageRoutes::connections() const {
  size_t count = back.size();
  for (const std::vector<NodeId>& of_disk : fronts) count += of_disk.size();
  return count;
}

StorageRoutes RoutesOf(const StorageParameters& p, const Placement& placement, const Topology& topology) {
  StorageRoutes routes;
  if (!p.back) {
    routes.fronts.assign(p.compute.size(), p.extent_nodes);
    return routes;
  }
  const int most = p.erasure ? std::max(p.replicas, p.erasure->fragments()) : p.replicas;
  const auto ask = [&](NodeId from, NodeId to) {
    if (from != to) routes.back.insert({from, to});
  };
  for (uint32_t disk = 0; disk < p.compute.size(); ++disk) {
    const std::vector<NodeId> fronts = Near(p.compute[disk], p.front_ends, topology);
    const std::vector<NodeId> owners = Near(p.compute[disk], p.partition_servers, topology);
    const NodeId owner = owners[(disk + owners.size() / 2) % owners.size()];
    routes.owners.push_back(owner);
    routes.fronts.emplace_back();
    const size_t paths = p.timeout > Time(0) ? std::min(kFronts, fronts.size()) : 1;
    for (size_t i = 0; i < paths; ++i) {
      routes.fronts.back().push_back(fronts[(disk + i) % fronts.size()]);
      ask(routes.fronts.back().back(), owner);
    }
    for (const NodeId node : placement.Reach(static_cast<size_t>(most), owner)) ask(owner, node);
  }
  return routes;
}

}  // namespace headroom

#include "analysis/check/services/check_placement.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/storage/extents/placement.h"

namespace headroom {
namespace {

constexpr const char* kDomainNames[] = {"hosts", "racks", "clusters", "datacenters"};

}  // namespace

void CheckPlacement(const StorageParameters& service, const Topology& topology, Findings& findings) {
  if (!service.back) return;
  const Placement placement(service.name, service.across, service.extent_nodes, topology);
  const auto judge = [&](const char* what, int count) {
    const auto all = static_cast<size_t>(count);
    const auto near = std::ranges::find_if(service.partition_servers,
                                           [&](NodeId id) { return !placement.Spreads(all, id); });
    if (near == service.partition_servers.end()) return;
    findings.push_back(
        {Finding::Severity::note, "service " + service.name,
         fmt::format(
             "{} {} of an extent cannot all have their own {}, seen from {}; they only have distinct hosts",
             count, what, kDomainNames[static_cast<size_t>(service.across)], topology.nodes[*near].name)});
  };
  judge("replicas", service.replicas);
  if (service.erasure) judge("fragments", service.erasure->fragments());
}

}  // namespace headroom

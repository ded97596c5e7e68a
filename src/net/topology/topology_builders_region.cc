// Part of topology_builders.h: datacenters of clusters, joined by regional hubs.
#include <string>
#include <vector>

#include "net/topology/topology_assembly.h"
#include "net/topology/topology_builders.h"

namespace headroom {
namespace {

std::string DatacenterName(int d) { return "dc" + std::to_string(d); }
std::string ClusterName(int d, int c) { return DatacenterName(d) + "-c" + std::to_string(c); }
std::string RackName(int d, int c, int r) { return ClusterName(d, c) + "-r" + std::to_string(r); }

/// Adds the hosts, in the order of their racks. Returns the rack in its cluster of each NIC of a cluster. As
/// rails, a host's NICs go to neighbouring racks, of which the first gives the host its name.
std::vector<int> AddHosts(const RegionShape& shape, TopologyAssembly& assembly) {
  const int nics = shape.nics.nics;
  const bool rails = shape.nics.attach == Attach::rails;
  const int step = rails ? nics : 1, in_rack = rails ? shape.hosts : shape.hosts / nics;
  std::vector<int> racks;
  for (int r = 0; r < shape.racks; r += step)
    for (int nic = 0; nic < in_rack * nics; ++nic) racks.push_back(rails ? r + nic % nics : r);
  for (int d = 0; d < shape.datacenters; ++d) {
    for (int c = 0; c < shape.clusters; ++c) {
      for (size_t first = 0; first < racks.size(); first += static_cast<size_t>(nics)) {
        std::vector<Place> places;
        for (int nic = 0; nic < nics; ++nic)
          places.push_back({d, c, racks[first + static_cast<size_t>(nic)]});
        const auto host = static_cast<int>(first) / nics % in_rack;
        assembly.AddHost(RackName(d, c, racks[first]) + "-h" + std::to_string(host), places);
      }
    }
  }
  return racks;
}

}  // namespace

Topology BuildRegion(const RegionShape& shape) {
  TopologyAssembly assembly;
  const std::vector<int> racks_of_nics = AddHosts(shape, assembly);

  std::vector<NodeId> t0, t1, t2, hubs;
  for (int d = 0; d < shape.datacenters; ++d) {
    for (int c = 0; c < shape.clusters; ++c) {
      for (int r = 0; r < shape.racks; ++r) {
        t0.push_back(assembly.AddSwitch(RackName(d, c, r) + "-t0", "t0", {d, c, r}));
      }
    }
  }
  for (int d = 0; d < shape.datacenters; ++d) {
    for (int c = 0; c < shape.clusters; ++c) {
      for (int i = 0; i < shape.t1; ++i) {
        const std::string name = ClusterName(d, c) + "-t1-" + std::to_string(i);
        t1.push_back(assembly.AddSwitch(name, "t1", {.datacenter = d, .cluster = c}));
      }
    }
  }
  for (int d = 0; d < shape.datacenters; ++d) {
    for (int i = 0; i < shape.t2; ++i) {
      const std::string name = DatacenterName(d) + "-t2-" + std::to_string(i);
      t2.push_back(assembly.AddSwitch(name, "t2", {.datacenter = d}));
    }
  }
  for (int i = 0; i < shape.hubs; ++i)
    hubs.push_back(assembly.AddSwitch("rh-" + std::to_string(i), "rh", {}));

  NodeId host = 0;
  for (size_t cluster = 0; cluster < t0.size(); cluster += static_cast<size_t>(shape.racks)) {
    for (const int rack : racks_of_nics)
      assembly.Connect(host++, t0[cluster + static_cast<size_t>(rack)], shape.host);
  }
  for (size_t i = 0; i < t0.size(); ++i) {
    const size_t cluster = i / static_cast<size_t>(shape.racks);
    for (int j = 0; j < shape.t1; ++j) assembly.Connect(t0[i], t1[cluster * shape.t1 + j], shape.t0_t1);
  }
  for (size_t i = 0; i < t1.size(); ++i) {
    const size_t datacenter = i / static_cast<size_t>(shape.t1 * shape.clusters);
    for (int j = 0; j < shape.t2; ++j) assembly.Connect(t1[i], t2[datacenter * shape.t2 + j], shape.t1_t2);
  }
  for (NodeId spine : t2) {
    for (NodeId hub : hubs) assembly.Connect(spine, hub, shape.t2_rh);
  }
  return assembly.Take();
}

}  // namespace headroom

#include "net/topology/topology_builders.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "net/topology/topology_assembly.h"

namespace headroom {
namespace {

std::string Numbered(const char* prefix, int number) { return prefix + std::to_string(number); }

Place InRack(int rack) { return {.rack = rack}; }

/// Hosts whose NICs fill leaves, with `at_leaf` NICs each.
class AtLeaves {
 public:
  AtLeaves(const HostNics& nics, int at_leaf) : nics_(nics), at_leaf_(at_leaf) {}
  /// The leaf of a host's NIC: of its first port.
  int LeafOf(int host, int nic) const {
    switch (nics_.attach) {
      case Attach::one_leaf:
        break;
      case Attach::rails:
        return host / (at_leaf_ / nics_.ports) * nics_.nics + nic;
      case Attach::dual_tor:
      case Attach::planes:
        return 2 * (host / at_leaf_ * nics_.nics + nic);
    }
    return host / (at_leaf_ / (nics_.nics * nics_.ports));
  }
  /// The leaf of a NIC, counted over all hosts.
  int LeafOf(int nic) const { return LeafOf(nic / nics_.nics, nic % nics_.nics); }
  /// `place`: of a leaf.
  template <class PlaceOf>
  void AddHosts(int leaves, const PlaceOf& place, TopologyAssembly& assembly) const {
    for (int host = 0; host < leaves * at_leaf_ / (nics_.nics * nics_.ports); ++host) {
      std::vector<Place> places;
      for (int nic = 0; nic < nics_.nics; ++nic) places.push_back(place(LeafOf(host, nic)));
      assembly.AddHost(Numbered("h", host), places);
    }
  }

 private:
  HostNics nics_;
  int at_leaf_;
};

}  // namespace

Unfilled WhyNotFilled(const HostNics& nics, int64_t at_leaf, int64_t leaves) {
  const bool together = nics.attach == Attach::one_leaf;
  const int there = nics.TwoLeaves() ? 1 : together ? nics.nics * nics.ports : nics.ports;
  if (at_leaf % there != 0) {
    if (nics.ports == 1)
      return {fmt::format("{} NICs at a leaf are not whole hosts of {}", at_leaf, there),
              "give a number of NICs at a leaf that is a multiple of nics, or attach: rails", false};
    return {fmt::format("{} ports at a leaf, but hosts have {}", at_leaf, there),
            there == 2 ? "hosts_per_leaf counts ports of hosts: give an even number"
                       : "hosts_per_leaf counts ports of hosts: give a multiple",
            false};
  }
  const int group = together ? 1 : nics.TwoLeaves() ? 2 * nics.nics : nics.nics;
  if (leaves % group == 0) return {};
  if (nics.attach == Attach::rails)
    return {fmt::format("{} leaves are not whole groups of {} rails", leaves, group),
            "give a number of leaves that is a multiple of nics", true};
  return {
      fmt::format("{} leaves, but each host is at {}", leaves, group == 2 ? "two" : std::to_string(group)),
      group == 2 ? "give an even number" : "give a multiple", true};
}

Topology BuildStar(const std::vector<std::string>& hosts, const LinkOf& link, const std::vector<int>& nics) {
  TopologyAssembly assembly;
  for (size_t i = 0; i < hosts.size(); ++i)
    assembly.AddHost(hosts[i], std::vector<Place>(nics.empty() ? 1 : nics[i], InRack(0)));
  const NodeId hub = assembly.AddSwitch("s0", "switch", InRack(0));
  for (NodeId host = 0; host < hub; ++host) assembly.Connect(host, hub, link);
  return assembly.Take();
}

Topology BuildDumbbell(int left, int right, const LinkOf& link, const LinkOf& bottleneck) {
  TopologyAssembly assembly;
  for (int i = 0; i < left; ++i) assembly.AddHost(Numbered("l", i), InRack(0));
  for (int i = 0; i < right; ++i) assembly.AddHost(Numbered("r", i), InRack(1));
  const NodeId s0 = assembly.AddSwitch("s0", "switch", InRack(0));
  const NodeId s1 = assembly.AddSwitch("s1", "switch", InRack(1));
  for (int i = 0; i < left + right; ++i) {
    assembly.Connect(static_cast<NodeId>(i), i < left ? s0 : s1, link);
  }
  assembly.Connect(s0, s1, bottleneck);
  return assembly.Take();
}

Topology BuildLeafSpine(int leaves, int spines, int host_ports, const LinkOf& host_link,
                        const LinkOf& fabric_link, int parallel, const HostNics& nics,
                        const std::optional<LinkOf>& nvlink) {
  // A rack is the leaves that share a NIC.
  const int in_rack = nics.TwoLeaves() ? 2 : 1, planes = nics.attach == Attach::planes ? 2 : 1;
  TopologyAssembly assembly;
  const AtLeaves at(nics, host_ports);
  at.AddHosts(
      leaves, [in_rack](int leaf) { return InRack(leaf / in_rack); }, assembly);
  const int all_nics = leaves * host_ports / nics.ports, hosts = nvlink ? all_nics / nics.nics : 0;
  for (int gpu = 0; gpu < hosts * nics.nics; ++gpu)
    assembly.AddHost(fmt::format("h{}/gpu{}", gpu / nics.nics, gpu % nics.nics),
                     InRack(at.LeafOf(gpu) / in_rack));
  std::vector<NodeId> leaf, spine;
  for (int i = 0; i < leaves; ++i)
    leaf.push_back(assembly.AddSwitch(Numbered("leaf", i), "leaf", InRack(i / in_rack)));
  for (int i = 0; i < spines; ++i) spine.push_back(assembly.AddSwitch(Numbered("spine", i), "spine", {}));
  for (int i = 0; i < all_nics; ++i) {
    for (int p = 0; p < nics.ports; ++p)
      assembly.Connect(static_cast<NodeId>(i), leaf[at.LeafOf(i) + p % in_rack], host_link);
  }
  for (int l = 0; l < leaves; ++l) {
    for (int s = l % planes; s < spines; s += planes) {
      for (int i = 0; i < parallel; ++i) assembly.Connect(leaf[l], spine[s], fabric_link);
    }
  }
  for (int host = 0; host < hosts; ++host) {
    const NodeId nvswitch = assembly.AddSwitch(fmt::format("h{}/nv0", host), "device", {});
    for (int i = 0; i < nics.nics; ++i)
      assembly.Connect(static_cast<NodeId>(all_nics + host * nics.nics + i), nvswitch, *nvlink);
  }
  return assembly.Take();
}

Topology BuildFatTree(int k, const LinkOf& host_link, const LinkOf& edge_link, const LinkOf& core_link,
                      const HostNics& nics) {
  const int half = k / 2;
  TopologyAssembly assembly;
  const AtLeaves at(nics, half);
  at.AddHosts(
      k * half, [half](int edge) { return Place{.cluster = edge / half, .rack = edge % half}; }, assembly);
  std::vector<NodeId> edge, agg, core;
  for (int i = 0; i < k * half; ++i) {
    const Place place{.cluster = i / half, .rack = i % half};
    edge.push_back(assembly.AddSwitch(Numbered("edge", i), "edge", place));
  }
  for (int i = 0; i < k * half; ++i) {
    agg.push_back(assembly.AddSwitch(Numbered("agg", i), "agg", {.cluster = i / half}));
  }
  for (int i = 0; i < half * half; ++i) core.push_back(assembly.AddSwitch(Numbered("core", i), "core", {}));

  for (int i = 0; i < k * half * half; ++i)
    assembly.Connect(static_cast<NodeId>(i), edge[at.LeafOf(i)], host_link);
  for (int pod = 0; pod < k; ++pod) {
    for (int e = 0; e < half; ++e) {
      for (int a = 0; a < half; ++a) assembly.Connect(edge[pod * half + e], agg[pod * half + a], edge_link);
    }
  }
  // The a-th aggregation switch of every pod serves the a-th row of cores.
  for (int i = 0; i < k * half; ++i) {
    for (int c = 0; c < half; ++c) assembly.Connect(agg[i], core[(i % half) * half + c], core_link);
  }
  return assembly.Take();
}

Topology BuildTorus(const std::vector<int>& dims, const LinkOf& link) {
  int size = 1;
  for (int d : dims) size *= d;
  TopologyAssembly assembly;
  for (int i = 0; i < size; ++i) assembly.AddHost(Numbered("h", i), InRack(i));
  for (int i = 0; i < size; ++i) assembly.AddSwitch(Numbered("s", i), "switch", InRack(i));
  const auto switch_at = [size](int i) { return static_cast<NodeId>(size + i); };
  for (int i = 0; i < size; ++i) assembly.Connect(static_cast<NodeId>(i), switch_at(i), link);

  int stride = 1;
  for (int d : dims) {
    for (int i = 0; i < size; ++i) {
      const int along = (i / stride) % d;
      const int next = i + ((along + 1) % d - along) * stride;
      // A ring of two has one link, a ring of one has none.
      if (d > 2 || (d == 2 && along == 0)) assembly.Connect(switch_at(i), switch_at(next), link);
    }
    stride *= d;
  }
  Topology topology = assembly.Take();
  topology.torus = dims;
  return topology;
}

}  // namespace headroom

#include "net/topology/topology_builders.h"

#include <string>

#include "net/topology/topology_assembly.h"

namespace headroom {
namespace {

std::string Numbered(const char* prefix, int number) { return prefix + std::to_string(number); }

Place InRack(int rack) { return {.rack = rack}; }

}  // namespace

Topology BuildStar(const std::vector<std::string>& hosts, const LinkOf& link) {
  TopologyAssembly assembly;
  for (const std::string& name : hosts) assembly.AddHost(name, InRack(0));
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
                        const LinkOf& fabric_link, int parallel, const Attachment& attachment) {
  // A rack is the leaves that share hosts.
  const int in_rack = attachment.kind == Attachment::Kind::one_leaf ? 1 : 2;
  const int planes = attachment.kind == Attachment::Kind::planes ? 2 : 1;
  const int hosts_per_rack = host_ports * in_rack / attachment.ports;
  const int hosts = leaves / in_rack * hosts_per_rack;
  TopologyAssembly assembly;
  for (int i = 0; i < hosts; ++i) assembly.AddHost(Numbered("h", i), InRack(i / hosts_per_rack));
  std::vector<NodeId> leaf, spine;
  for (int i = 0; i < leaves; ++i)
    leaf.push_back(assembly.AddSwitch(Numbered("leaf", i), "leaf", InRack(i / in_rack)));
  for (int i = 0; i < spines; ++i) spine.push_back(assembly.AddSwitch(Numbered("spine", i), "spine", {}));
  for (int i = 0; i < hosts; ++i) {
    for (int p = 0; p < attachment.ports; ++p)
      assembly.Connect(static_cast<NodeId>(i), leaf[i / hosts_per_rack * in_rack + p % in_rack], host_link);
  }
  for (int l = 0; l < leaves; ++l) {
    for (int s = l % planes; s < spines; s += planes) {
      for (int i = 0; i < parallel; ++i) assembly.Connect(leaf[l], spine[s], fabric_link);
    }
  }
  return assembly.Take();
}

Topology BuildFatTree(int k, const LinkOf& host_link, const LinkOf& edge_link, const LinkOf& core_link) {
  const int half = k / 2;
  TopologyAssembly assembly;
  for (int i = 0; i < k * half * half; ++i) {
    const int edge = i / half;
    assembly.AddHost(Numbered("h", i), {.cluster = edge / half, .rack = edge % half});
  }
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
    assembly.Connect(static_cast<NodeId>(i), edge[i / half], host_link);
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

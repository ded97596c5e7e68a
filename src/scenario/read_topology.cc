#include "scenario/read_topology.h"

#include <fmt/format.h>

#include "scenario/hpcc_files.h"
#include "scenario/names.h"

namespace headroom {

namespace {

constexpr int64_t kMost = 1'000'000'000;

StarSpec ReadStar(MapReader& map) {
  StarSpec spec;
  map.Need({"hosts", "link"});
  map.Read("hosts", [&](const Node& node) {
    if (node.IsList()) {
      spec.names = ParseUniqueNames(node);
      spec.hosts = static_cast<int64_t>(spec.names.size());
      for (const Node& name : node.items)
        if (name.text == "s0") throw ScenarioError(name.where, "\"s0\" is the switch of a star");
    } else {
      spec.hosts = ParseInteger(node, 1, kMost);
    }
  });
  ReadLinks(map, "link", spec.link);
  return spec;
}

DumbbellSpec ReadDumbbell(MapReader& map) {
  DumbbellSpec spec;
  map.Need({"left", "right", "link", "bottleneck"});
  map.Integer("left", spec.left, 1, kMost);
  map.Integer("right", spec.right, 1, kMost);
  ReadLinks(map, "link", spec.link);
  ReadLinks(map, "bottleneck", spec.bottleneck);
  return spec;
}

LeafSpineSpec ReadLeafSpine(MapReader& map) {
  LeafSpineSpec spec;
  map.Need({"leaves", "spines", "hosts_per_leaf", "host_link", "fabric_link"});
  map.Integer("leaves", spec.leaves, 1, kMost);
  map.Integer("spines", spec.spines, 1, kMost);
  map.Integer("hosts_per_leaf", spec.hosts_per_leaf, 1, kMost);
  ReadLinks(map, "host_link", spec.host_link);
  ReadLinks(map, "fabric_link", spec.fabric_link);
  return spec;
}

FatTreeSpec ReadFatTree(MapReader& map) {
  FatTreeSpec spec;
  map.Need({"k"});
  map.Read("k", [&](const Node& node) {
    spec.k = ParseInteger(node, 2, 1'000'000);
    if (spec.k % 2 != 0) throw ScenarioError(node.where, fmt::format("k is {}", spec.k), "k is even");
  });
  ReadLinks(map, "link", spec.host_link);
  spec.edge_link = spec.core_link = spec.host_link;
  if (!map.Has("link") && !map.Has("host_link") && !map.Has("edge_link") && !map.Has("core_link")) {
    map.Need({"link"});
  } else if (!map.Has("link")) {
    map.Need({"host_link", "edge_link", "core_link"});
  }
  ReadLinks(map, "host_link", spec.host_link);
  ReadLinks(map, "edge_link", spec.edge_link);
  ReadLinks(map, "core_link", spec.core_link);
  return spec;
}

RegionSpec ReadRegion(MapReader& map) {
  RegionSpec spec;
  RegionShape& shape = spec.shape;
  map.Need({"datacenters", "clusters", "racks", "hosts", "links"});
  map.Integer("datacenters", shape.datacenters, 1, kMost);
  map.Integer("clusters", shape.clusters, 1, kMost);
  map.Integer("racks", shape.racks, 1, kMost);
  map.Integer("hosts", shape.hosts, 1, kMost);
  map.Integer("t1", shape.t1, 1, kMost);
  map.Integer("t2", shape.t2, 1, kMost);
  map.Integer("hubs", shape.hubs, shape.datacenters > 1 ? 1 : 0, kMost);
  map.Read("links", [&](const Node& node) {
    MapReader links(node, map.errors());
    links.Need({"host", "t0_t1", "t1_t2"});
    if (shape.hubs > 0) links.Need({"t2_rh"});
    ReadLinks(links, "host", spec.host);
    ReadLinks(links, "t0_t1", spec.t0_t1);
    ReadLinks(links, "t1_t2", spec.t1_t2);
    ReadLinks(links, "t2_rh", spec.t2_rh);
    links.Finish();
  });
  return spec;
}

TorusSpec ReadTorus(MapReader& map) {
  TorusSpec spec;
  map.Need({"dims", "link"});
  map.Read("dims", [&](const Node& node) {
    for (const Node& item : ParseList(node))
      spec.dims.push_back(static_cast<int>(ParseInteger(item, 1, kMost)));
    if (spec.dims.empty() || spec.dims.size() > 8)
      throw ScenarioError(node.where, fmt::format("{} dimensions", spec.dims.size()), "allowed: 1 to 8");
  });
  ReadLinks(map, "link", spec.link);
  return spec;
}

HpccSpec ReadHpcc(MapReader& map) {
  HpccSpec spec;
  map.Need({"file"});
  map.Read("file", [&](const Node& node) {
    spec.file = ParsePath(node);
    spec.content = ReadHpccTopology(spec.file, node.where);
    CheckHostLinks(spec.content, node.where);
  });
  return spec;
}

TopologySpec ReadByType(size_t type, MapReader& map) {
  switch (type) {
    case 0:
      return ReadRegion(map);
    case 1:
      return ReadLeafSpine(map);
    case 2:
      return ReadFatTree(map);
    case 3:
      return ReadStar(map);
    case 4:
      return ReadDumbbell(map);
    case 5:
      return ReadTorus(map);
    case 6:
      return ReadCustomTopology(map);
    default:
      return ReadHpcc(map);
  }
}

}  // namespace

TopologySpec ReadTopology(const Node& node, Errors& errors) {
  MapReader map(node, errors);
  TopologySpec spec;
  map.Need({"type"});
  const bool typed = map.Read("type", [&](const Node& type) {
    spec = ReadByType(ParseChoice(type, {"region", "leaf_spine", "fat_tree", "star", "dumbbell", "torus",
                                         "custom", "hpcc"}),
                      map);
    map.Finish();
  });
  if (!typed) map.FinishMissing();
  return spec;
}

}  // namespace headroom

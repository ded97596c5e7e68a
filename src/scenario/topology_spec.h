// A topology as a scenario describes it: a type and a few keys, checked, not yet built.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "net/topology/topology_builders.h"
#include "scenario/link_rules.h"

namespace headroom {

struct StarSpec {
  int64_t hosts = 0;
  std::vector<std::string> names;  ///< empty: names are h0, h1, …
  LinkRules link;
};
struct DumbbellSpec {
  int64_t left = 0, right = 0;
  LinkRules link, bottleneck;
};
struct LeafSpineSpec {
  int64_t leaves = 0, spines = 0, hosts_per_leaf = 0, links_per_spine = 1;
  Attachment attachment;
  LinkRules host_link, fabric_link;
};
struct FatTreeSpec {
  int64_t k = 0;
  LinkRules host_link, edge_link, core_link;
};
struct RegionSpec {
  RegionShape shape;  ///< the shape without its links
  LinkRules host, t0_t1, t1_t2, t2_rh;
};
struct TorusSpec {
  std::vector<int> dims;
  LinkRules link;
};
struct CustomSpec {
  std::vector<std::string> hosts, switches;
  std::vector<CustomLink> links;
};
/// The contents of a topology file of the HPCC simulator.
struct HpccSpec {
  std::filesystem::path file;
  CustomSpec content;
};

using TopologySpec = std::variant<StarSpec, DumbbellSpec, LeafSpineSpec, FatTreeSpec, RegionSpec, TorusSpec,
                                  CustomSpec, HpccSpec>;

/// The contents of a topology, counted without building it. Counts are doubles, because they may have any
/// size.
struct TopologySize {
  double hosts = 0, switches = 0, links = 0;
  double most_ports = 0;  ///< ports of the node with most; 0 if the links are listed individually
};
TopologySize SizeOf(const TopologySpec& spec);

/// REQUIRES: the size has been checked. Throws a ScenarioError if links are given by patterns and a link
/// matches none, or a pattern matches no link.
Topology BuildTopology(const TopologySpec& spec);

}  // namespace headroom

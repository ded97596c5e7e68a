// A topology as a scenario asks for it: a type and a few keys, checked, not yet built.
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
  std::vector<std::string> names;  ///< empty: h0, h1, …
  LinkRules link;
};
struct DumbbellSpec {
  int64_t left = 0, right = 0;
  LinkRules link, bottleneck;
};
struct LeafSpineSpec {
  int64_t leaves = 0, spines = 0, hosts_per_leaf = 0, links_per_spine = 1;
  LinkRules host_link, fabric_link;
};
struct FatTreeSpec {
  int64_t k = 0;
  LinkRules host_link, edge_link, core_link;
};
struct RegionSpec {
  RegionShape shape;  ///< without its links
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
/// A topology file of the HPCC simulator, already read.
struct HpccSpec {
  std::filesystem::path file;
  CustomSpec content;
};

using TopologySpec = std::variant<StarSpec, DumbbellSpec, LeafSpineSpec, FatTreeSpec, RegionSpec, TorusSpec,
                                  CustomSpec, HpccSpec>;

/// What a topology would hold, counted without building it. Numbers of any size: doubles.
struct TopologySize {
  double hosts = 0, switches = 0, links = 0;
  double most_ports = 0;  ///< of any one node; 0 where the links are listed one by one
};
TopologySize SizeOf(const TopologySpec& spec);

/// REQUIRES: the size has been found to fit. Throws a ScenarioError where links are given by patterns and one
/// has none, or a pattern no link.
Topology BuildTopology(const TopologySpec& spec);

}  // namespace headroom

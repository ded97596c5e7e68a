// Builders of the named topologies. Names of hosts, switches and tiers are those of the scenario schema.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/topology/link_of.h"
#include "net/topology/topology.h"

namespace headroom {

Topology BuildStar(const std::vector<std::string>& hosts, const LinkOf& link);
Topology BuildDumbbell(int left, int right, const LinkOf& link, const LinkOf& bottleneck);

/// The ports of hosts, and the leaves at which they are. With two leaves, a host's port p is at leaf 2i + p.
struct Attachment {
  enum class Kind : uint8_t {
    one_leaf,
    dual_tor,  ///< two leaves with the same spines
    planes     ///< two leaves; those with even numbers have the spines with even numbers
  };
  int ports = 1;  ///< of a host
  Kind kind = Kind::one_leaf;
  bool operator==(const Attachment&) const = default;
};
/// `host_ports`: the number of ports of hosts at each leaf. `parallel`: number of links from each leaf to
/// each of its spines; they use neighbouring ports at both ends. REQUIRES: one_leaf has whole hosts; dual_tor
/// has two ports and an even number of leaves; planes in addition an even number of spines.
Topology BuildLeafSpine(int leaves, int spines, int host_ports, const LinkOf& host_link,
                        const LinkOf& fabric_link, int parallel = 1, const Attachment& attachment = {});
/// A k-ary fat tree: k³/4 hosts, k pods. REQUIRES: k even, k ≥ 2.
Topology BuildFatTree(int k, const LinkOf& host_link, const LinkOf& edge_link, const LinkOf& core_link);

/// A torus (mesh with closed rings) of switches, the first dimension varying fastest, with one host per
/// switch. A dimension of two has one link between its two switches. REQUIRES: every dimension ≥ 1.
Topology BuildTorus(const std::vector<int>& dims, const LinkOf& link);

struct RegionShape {
  int datacenters = 2, clusters = 1, racks = 1, hosts = 1, t1 = 2, t2 = 2, hubs = 2;
  LinkOf host{}, t0_t1{}, t1_t2{}, t2_rh{};
};
/// Hosts are linked to T0s, every T0 to every T1 of its cluster, every T1 to every T2 of its datacenter,
/// every T2 to every hub.
Topology BuildRegion(const RegionShape& shape);

struct CustomLink {
  std::string a, a_port, b, b_port;  ///< an empty port name: p0, p1, … in link order at the node
  LinkSpec spec;
};
/// A switch's tier is "switch"; hosts whose first link goes to the same switch share a rack. Throws
/// std::invalid_argument for a link end that names no node, and for two nodes or two ports with the same
/// name.
Topology BuildCustom(const std::vector<std::string>& hosts, const std::vector<std::string>& switches,
                     const std::vector<CustomLink>& links);

}  // namespace headroom

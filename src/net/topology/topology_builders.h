// Builders of the named topologies. Names of hosts, switches and tiers are those of the scenario schema.
//
// `nics`: the NICs of each host. A number of hosts at a leaf is then a number of NICs. With eight NICs a
// host, 64 at a leaf are eight hosts, or, as rails, one NIC each of 64 hosts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "net/topology/link_of.h"
#include "net/topology/topology.h"

namespace headroom {

/// Where the ports of a host are attached. A group of leaves has hosts in common.
enum class Attach {
  one_leaf,  ///< all at one leaf
  rails,     ///< those of NIC i at the i-th leaf of a group of as many leaves as the host has NICs
  dual_tor,  ///< port p of NIC i at leaf 2i + p of a group of twice as many leaves
  planes     ///< the same; leaves with even numbers have the spines with even numbers only
};
struct HostNics {
  int nics = 1;
  Attach attach = Attach::one_leaf;
  int ports = 1;  ///< of a NIC: one or two
  bool TwoLeaves() const { return attach == Attach::dual_tor || attach == Attach::planes; }
  bool operator==(const HostNics&) const = default;
};

/// `nics`: by host; empty: one each.
Topology BuildStar(const std::vector<std::string>& hosts, const LinkOf& link,
                   const std::vector<int>& nics = {});
Topology BuildDumbbell(int left, int right, const LinkOf& link, const LinkOf& bottleneck);
/// `host_ports`: the number of ports of hosts at each leaf. `parallel`: number of links from each leaf to
/// each of its spines; they use neighbouring ports at both ends. `nvlink`: each host has a GPU beside each
/// NIC, h3/gpu0, …, and these have such links to an NVSwitch, h3/nv0. REQUIRES: WhyNotFilled gives no reason;
/// planes have an even number of spines.
Topology BuildLeafSpine(int leaves, int spines, int host_ports, const LinkOf& host_link,
                        const LinkOf& fabric_link, int parallel = 1, const HostNics& nics = {},
                        const std::optional<LinkOf>& nvlink = {});
/// A k-ary fat tree: k³/4 hosts, k pods. REQUIRES: k even, k ≥ 2.
Topology BuildFatTree(int k, const LinkOf& host_link, const LinkOf& edge_link, const LinkOf& core_link,
                      const HostNics& nics = {});

/// A torus (mesh with closed rings) of switches, the first dimension varying fastest, with one host per
/// switch. A dimension of two has one link between its two switches. REQUIRES: every dimension ≥ 1.
Topology BuildTorus(const std::vector<int>& dims, const LinkOf& link);

struct RegionShape {
  int datacenters = 2, clusters = 1, racks = 1, hosts = 1, t1 = 2, t2 = 2, hubs = 2;
  LinkOf host{}, t0_t1{}, t1_t2{}, t2_rh{};
  HostNics nics{};
};
/// Why leaves cannot be filled with such hosts, and how to change that; without text if they can.
struct Unfilled {
  std::string text, fix{};
  bool of_leaves = false;  ///< the number of leaves does not fit; otherwise that of ports at a leaf
};
/// `at_leaf`: number of ports of hosts at each leaf. `leaves`: number of leaves that a host's ports may go
/// to.
Unfilled WhyNotFilled(const HostNics& nics, int64_t at_leaf, int64_t leaves);

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
/// `nics`: by host; empty: one each. `devices`: nodes inside hosts, such as h3/gpu0 and h3/nv0. A GPU sends
/// and receives as a host does; all others forward as switches do.
Topology BuildCustom(const std::vector<std::string>& hosts, const std::vector<std::string>& switches,
                     const std::vector<CustomLink>& links, const std::vector<int>& nics = {},
                     const std::vector<std::string>& devices = {});
/// The names of a host's NICs: the host's if there is one.
std::vector<std::string> NamesOfNics(const std::string& host, int nics);
/// Whether a device inside a host sends and receives: its name after the slash begins with gpu.
bool IsGpu(const std::string& device);

}  // namespace headroom

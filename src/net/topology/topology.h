// A network as plain data: nodes with their tier and place, and the links between named ports.
//
// Builders make it from a few keys. The set-up of the ns-3 network, routing and `check` read it. Node ids are
// dense: hosts first (0 … hosts-1), then switches.
//
// A host with several NICs is several nodes with is_host: its NICs, with neighbouring ids and the names
// h3/n0, h3/n1, … To the network, each of them is a host. With one NIC, the node is the host and has its
// name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/identifiers.h"
#include "net/link_spec.h"

namespace headroom {

/// The place of a node; -1 for a level that the topology does not have. Two hosts share a rack when
/// datacenter, cluster and rack are equal, a cluster when datacenter and cluster are, and so on.
struct Place {
  int datacenter = -1;
  int cluster = -1;
  int rack = -1;
  bool operator==(const Place&) const = default;
};

struct TopologyNode {
  std::string name;
  std::string tier;  ///< host, t0, t1, t2, rh, leaf, spine, edge, agg, core or switch
  bool is_host = false;
  Place place;
  uint16_t nic = 0;   ///< of a host: index of this NIC in its host
  uint16_t nics = 1;  ///< of a host: its number of NICs
  bool operator==(const TopologyNode&) const = default;
};

/// The name of the host that a NIC, or a device inside a host, belongs to: h3 for h3/n2. Other nodes: their
/// name.
inline std::string HostName(const std::string& node) { return node.substr(0, node.find('/')); }

struct LinkEnd {
  NodeId node = 0;
  std::string port;         ///< p0, p1, … in link order at the node unless named
  uint32_t port_index = 0;  ///< index among the node's ports, in link order
  bool operator==(const LinkEnd&) const = default;
};

struct TopologyLink {
  LinkEnd a, b;
  LinkSpec spec;
  bool operator==(const TopologyLink&) const = default;
};

struct Topology {
  std::vector<TopologyNode> nodes;  ///< hosts first
  std::vector<TopologyLink> links;
  uint32_t hosts = 0;  ///< number of hosts; each NIC of a host with several counts
  /// For a torus: the number of switches along each dimension, the first varying fastest; host i is at switch
  /// i. Empty for other topologies.
  std::vector<int> torus;
  bool operator==(const Topology&) const = default;

  /// The first NIC of a NIC's host, which stands for the host.
  NodeId HostOf(NodeId nic) const { return nic - nodes[nic].nic; }
  bool HasSeveralNics() const {
    for (NodeId h = 0; h < hosts; ++h)
      if (nodes[h].nics > 1) return true;
    return false;
  }
};

}  // namespace headroom

// Extent nodes of an extent's replicas or fragments: distinct nodes, in distinct failure domains if there are
// enough.
//
// Rendezvous hashing: each node has a number for each extent, made of names and the seed; those with the
// largest numbers hold it. So nodes share extents evenly, an extent's nodes are known without a table, and
// one more node takes from others only what it then has itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

enum class FailureDomain : uint8_t { host, rack, cluster, datacenter };

class Placement {
 public:
  /// `service`: its name. `topology` outlives this.
  Placement(const std::string& service, FailureDomain across, const std::vector<NodeId>& extent_nodes,
            const Topology& topology);

  /// `count` nodes for an extent of a partition server at `near`: in its datacenter where that has as many,
  /// unless they are spread across datacenters. REQUIRES: count <= number of extent nodes.
  std::vector<NodeId> Of(uint32_t extent, size_t count, NodeId near) const;
  /// Nodes that may have an extent of a partition server there.
  std::vector<NodeId> Reach(size_t count, NodeId near) const;
  /// Extent nodes that share this one's failure domain, itself included. REQUIRES: it is an extent node.
  size_t DomainSize(NodeId node) const;
  /// Whether this many fit into distinct domains, seen from `near`.
  bool Spreads(size_t count, NodeId near) const;

 private:
  struct Node {
    NodeId id;
    uint64_t name;  ///< hashed
    uint32_t domain;
    int datacenter;
  };
  /// Places of the nodes that may hold it.
  struct Candidates {
    bool local;    ///< in the datacenter alone
    bool domains;  ///< in distinct domains
  };
  Candidates CandidatesFor(size_t count, int datacenter) const;
  size_t Nodes(bool local, int datacenter) const;
  size_t Domains(bool local, int datacenter) const;

  const Topology& topology_;
  const FailureDomain across_;
  uint64_t salt_;
  std::vector<Node> nodes_;
};

}  // namespace headroom

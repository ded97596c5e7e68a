// Chooses the extent nodes for an extent's replicas or fragments: distinct nodes, in distinct failure domains
// if there are enough.
//
// Rendezvous hashing: each node has a number for each extent, computed from names and the seed; the nodes
// with the largest numbers hold the extent. So nodes share extents evenly, an extent's nodes need no table,
// and a new node takes over only the extents that it will hold.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

enum class FailureDomain : uint8_t { host, rack, cluster, datacenter };

class Placement {
 public:
  /// `service`: name of the service. `topology` must outlive this object.
  Placement(const std::string& service, FailureDomain across, const std::vector<NodeId>& extent_nodes,
            const Topology& topology);

  /// `count` nodes for an extent of a partition server at `near`: in its datacenter if that has enough nodes,
  /// unless they are spread across datacenters. REQUIRES: count <= number of extent nodes.
  std::vector<NodeId> Of(uint32_t extent, size_t count, NodeId near) const;
  /// The nodes that may have an extent of a partition server at `near`.
  std::vector<NodeId> Reach(size_t count, NodeId near) const;
  /// The number of extent nodes in this node's failure domain, including itself. REQUIRES: it is an extent
  /// node.
  size_t DomainSize(NodeId node) const;
  /// Whether `count` nodes fit into distinct domains, seen from `near`.
  bool Spreads(size_t count, NodeId near) const;

 private:
  struct Node {
    NodeId id;
    uint64_t name;  ///< hash of the name
    uint32_t domain;
    int datacenter;
  };
  /// Indices of the nodes that may hold an extent.
  struct Candidates {
    bool local;    ///< only in the datacenter
    bool domains;  ///< only in distinct domains
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

// Builds a topology node by node and link by link. The builders of the named topologies use it.
#pragma once

#include <string>
#include <vector>

#include "net/topology/link_of.h"
#include "net/topology/topology.h"

namespace headroom {

/// Collects nodes and links. REQUIRES: every host is added before the first switch.
class TopologyAssembly {
 public:
  NodeId AddHost(std::string name, Place place);
  /// A host with a NIC for each place. One NIC has the host's name.
  void AddHost(const std::string& name, const std::vector<Place>& of_nics);
  NodeId AddSwitch(std::string name, std::string tier, Place place);

  /// Links two nodes. An empty port name becomes p and the port's index at its node.
  void Connect(NodeId a, NodeId b, const LinkOf& link, std::string a_port = "", std::string b_port = "");

  Topology Take() { return std::move(topology_); }

 private:
  LinkEnd NextPort(NodeId node, std::string name);

  Topology topology_;
  std::vector<uint32_t> ports_;  ///< number of ports so far, by node
};

}  // namespace headroom

// Names of ports, and of the ports at the other ends of their links.
#pragma once

#include <string>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

class PortDirectory {
 public:
  struct Port {
    std::string name;
    NodeId peer = 0;
    std::string peer_port;
  };

  explicit PortDirectory(const Topology& topology);

  /// REQUIRES: the topology has this port.
  const Port& At(NodeId node, uint32_t port_index) const { return ports_[node][port_index]; }

 private:
  std::vector<std::vector<Port>> ports_;
};

}  // namespace headroom

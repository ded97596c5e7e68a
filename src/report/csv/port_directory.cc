#include "report/csv/port_directory.h"

namespace headroom {

PortDirectory::PortDirectory(const Topology& topology) : ports_(topology.nodes.size()) {
  const auto put = [this](const LinkEnd& here, const LinkEnd& there) {
    std::vector<Port>& ports = ports_[here.node];
    if (ports.size() <= here.port_index) ports.resize(here.port_index + 1);
    ports[here.port_index] = {here.port, there.node, there.port};
  };
  for (const TopologyLink& link : topology.links) {
    put(link.a, link.b);
    put(link.b, link.a);
  }
}

}  // namespace headroom

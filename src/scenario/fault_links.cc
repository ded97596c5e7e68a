#include "scenario/fault_links.h"

namespace headroom {

std::vector<uint32_t> LinksBetween(NodeId node_a, std::optional<uint32_t> port_a, NodeId node_b,
                                   std::optional<uint32_t> port_b, const Topology& topology) {
  const auto is = [](const LinkEnd& end, NodeId node, const std::optional<uint32_t>& port) {
    return end.node == node && end.port_index == port.value_or(end.port_index);
  };
  std::vector<uint32_t> links;
  for (uint32_t i = 0; i < topology.links.size(); ++i) {
    const LinkEnd &a = topology.links[i].a, &b = topology.links[i].b;
    if ((is(a, node_a, port_a) && is(b, node_b, port_b)) || (is(a, node_b, port_b) && is(b, node_a, port_a)))
      links.push_back(i);
  }
  return links;
}

}  // namespace headroom

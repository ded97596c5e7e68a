#include "scenario/fault_links.h"

namespace headroom {

std::vector<uint32_t> LinksOf(const LinkDownFault& fault, const Topology& topology) {
  const auto is = [](const LinkEnd& end, NodeId node, const std::optional<uint32_t>& port) {
    return end.node == node && end.port_index == port.value_or(end.port_index);
  };
  std::vector<uint32_t> links;
  for (uint32_t i = 0; i < topology.links.size(); ++i) {
    const LinkEnd &a = topology.links[i].a, &b = topology.links[i].b;
    if ((is(a, fault.a, fault.port_a) && is(b, fault.b, fault.port_b)) ||
        (is(b, fault.a, fault.port_a) && is(a, fault.b, fault.port_b)))
      links.push_back(i);
  }
  return links;
}

}  // namespace headroom

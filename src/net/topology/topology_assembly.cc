#include "net/topology/topology_assembly.h"

#include <fmt/format.h>

#include <utility>

namespace headroom {

NodeId TopologyAssembly::AddHost(std::string name, Place place) {
  ports_.push_back(0);
  topology_.nodes.push_back({std::move(name), "host", true, place});
  return topology_.hosts++;
}

void TopologyAssembly::AddHost(const std::string& name, const std::vector<Place>& of_nics) {
  if (of_nics.size() == 1) {
    AddHost(name, of_nics.front());
    return;
  }
  for (size_t i = 0; i < of_nics.size(); ++i) {
    TopologyNode& node = topology_.nodes[AddHost(fmt::format("{}/n{}", name, i), of_nics[i])];
    node.nic = static_cast<uint16_t>(i);
    node.nics = static_cast<uint16_t>(of_nics.size());
  }
}

NodeId TopologyAssembly::AddSwitch(std::string name, std::string tier, Place place) {
  ports_.push_back(0);
  topology_.nodes.push_back({std::move(name), std::move(tier), false, place});
  return static_cast<NodeId>(topology_.nodes.size() - 1);
}

void TopologyAssembly::Connect(NodeId a, NodeId b, const LinkOf& link, std::string a_port,
                               std::string b_port) {
  LinkEnd first = NextPort(a, std::move(a_port));
  LinkEnd second = NextPort(b, std::move(b_port));
  const auto& nodes = topology_.nodes;
  const LinkSpec spec = link(nodes[a], first.port, nodes[b], second.port);
  topology_.links.push_back({std::move(first), std::move(second), spec});
}

LinkEnd TopologyAssembly::NextPort(NodeId node, std::string name) {
  const uint32_t index = ports_[node]++;
  if (name.empty()) name = fmt::format("p{}", index);
  return {node, std::move(name), index};
}

}  // namespace headroom

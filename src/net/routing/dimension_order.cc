#include "net/routing/dimension_order.h"

namespace headroom {

TorusPorts::TorusPorts(const Topology& topology)
    : dims_(topology.torus),
      hosts_(topology.hosts),
      exits_(topology.nodes.size() - topology.hosts),
      links_(exits_.size()) {
  const auto exit = [this](NodeId from, NodeId to) {
    if (to < hosts_) return Exit{};
    int64_t stride = 1;
    for (int d = 0; d < static_cast<int>(dims_.size()); stride *= dims_[d], ++d) {
      const int size = dims_[d];
      const auto here = static_cast<int>((from - hosts_) / stride % size);
      const auto there = static_cast<int>((to - hosts_) / stride % size);
      if (here == there) continue;
      const bool up = there == (here + 1) % size;
      return Exit{d, up, here == (there + 1) % size, size > 2 && (up ? there : here) == 0};
    }
    return Exit{};
  };
  for (uint32_t l = 0; l < topology.links.size(); ++l) {
    const TopologyLink& link = topology.links[l];
    const auto add = [&](NodeId from, NodeId to) {
      if (from < hosts_) return;
      exits_[from - hosts_].push_back(exit(from, to));
      links_[from - hosts_].push_back(l);
    };
    add(link.a.node, link.b.node);
    add(link.b.node, link.a.node);
  }
}

std::vector<uint16_t> TorusPorts::NextHops(NodeId node, NodeId host, const std::vector<int>& down) const {
  int dimension = -1;
  bool up = false, back = false;
  int64_t stride = 1;
  for (int d = 0; d < static_cast<int>(dims_.size()); stride *= dims_[d], ++d) {
    const int64_t size = dims_[d];
    const int64_t ahead = (host / stride % size - (node - hosts_) / stride % size + size) % size;
    if (ahead == 0) continue;
    dimension = d;
    up = ahead * 2 <= size;
    back = ahead * 2 >= size;
    break;
  }
  std::vector<uint16_t> ports;
  const std::vector<Exit>& exits = Of(node);
  for (uint16_t p = 0; p < exits.size(); ++p) {
    const uint32_t link = links_[node - hosts_][p];
    if (!down.empty() && down[link] != 0) continue;
    const Exit& exit = exits[p];
    if (exit.dimension == dimension && (dimension < 0 || (up && exit.up) || (back && exit.down)))
      ports.push_back(p);
  }
  return ports;
}

}  // namespace headroom

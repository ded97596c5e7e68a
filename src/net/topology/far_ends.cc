#include "net/topology/far_ends.h"

namespace headroom {

std::vector<std::vector<FarEnd>> FarEnds(const Topology& topology) {
  std::vector<std::vector<FarEnd>> ends(topology.nodes.size());
  for (const TopologyLink& l : topology.links) {
    const auto a = static_cast<uint16_t>(ends[l.a.node].size());
    ends[l.a.node].emplace_back();
    const auto b = static_cast<uint16_t>(ends[l.b.node].size());
    ends[l.b.node].push_back({l.a.node, a});
    ends[l.a.node][a] = {l.b.node, b};
  }
  return ends;
}

}  // namespace headroom

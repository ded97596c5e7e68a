#include "scenario/hpcc/hpcc_paths.h"

#include <algorithm>
#include <array>

#include "scenario/hpcc/hpcc_files.h"

namespace headroom {

namespace {

/// The address of a node.
uint32_t AddressOf(uint32_t id) { return 0x0b000001u + (id / 256 << 16) + (id % 256 << 8); }

uint32_t Turn(uint32_t x, int by) { return x << by | x >> (32 - by); }

/// MurmurHash3 (Austin Appleby), 32 bits, for whole words.
uint32_t Murmur(const std::array<uint32_t, 3>& words, uint32_t seed) {
  uint32_t h = seed;
  for (uint32_t k : words) {
    k = Turn(k * 0xcc9e2d51u, 15) * 0x1b873593u;
    h = Turn(h ^ k, 13) * 5 + 0xe6546b64u;
  }
  h ^= sizeof(words);
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

}  // namespace

HpccPaths::HpccPaths(const Topology& topology)
    : topology_(topology),
      routes_(ComputeRoutes(topology)),
      paths_(topology, routes_),
      neighbours_(topology.nodes.size()) {
  for (const int64_t id : HpccIdsOf(topology)) ids_.push_back(static_cast<uint32_t>(id));
  for (const TopologyLink& l : topology.links) {
    if (l.b.node >= topology.hosts) neighbours_[l.a.node].push_back(l.b.node);
    if (l.a.node >= topology.hosts) neighbours_[l.b.node].push_back(l.a.node);
  }
  for (std::vector<NodeId>& of_node : neighbours_) {
    std::ranges::sort(of_node, std::greater<>(), [this](NodeId n) { return ids_[n]; });
    of_node.erase(std::ranges::unique(of_node).begin(), of_node.end());
  }
}

const HpccPaths::NextHops& HpccPaths::Towards(NodeId last) {
  const auto [at, is_new] = next_hops_.try_emplace(last, topology_.nodes.size());
  if (!is_new) return at->second;
  std::vector<uint32_t> hops(topology_.nodes.size(), UINT32_MAX);
  std::vector<NodeId> queue{last};
  hops[last] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    const NodeId here = queue[i];
    for (const NodeId next : neighbours_[here]) {
      if (hops[next] == UINT32_MAX) {
        hops[next] = hops[here] + 1;
        queue.push_back(next);
      }
      if (hops[next] == hops[here] + 1) at->second[next].push_back(here);
    }
  }
  return at->second;
}

std::vector<NodeId> HpccPaths::SwitchesOf(NodeId src, NodeId dst, uint16_t src_port, uint16_t dst_port) {
  const NodeId last = SwitchOf(dst);
  const NextHops& next_hops = Towards(last);
  const std::array<uint32_t, 3> words{AddressOf(ids_[src]), AddressOf(ids_[dst]),
                                      src_port | uint32_t{dst_port} << 16};
  std::vector<NodeId> path{SwitchOf(src)};
  while (path.back() != last) {
    const std::vector<NodeId>& next = next_hops[path.back()];
    if (next.empty()) return {};
    path.push_back(next[Murmur(words, ids_[path.back()]) % next.size()]);
  }
  return path;
}

std::vector<NodeId> HpccPaths::SwitchesHere(NodeId src, NodeId dst, uint16_t source_port) const {
  std::vector<NodeId> path;
  for (const PathHop& hop : paths_.Of(src, dst, source_port)) path.push_back(hop.to.node);
  if (!path.empty()) path.pop_back();
  return path;
}

std::optional<uint16_t> HpccPaths::SourcePortFor(NodeId src, NodeId dst, uint16_t src_port,
                                                 uint16_t dst_port) {
  constexpr uint32_t kFirst = 0xC000, kPorts = 0x4000;
  const auto there = SwitchesOf(src, dst, src_port, dst_port),
             back = SwitchesOf(dst, src, dst_port, src_port);
  std::optional<uint16_t> for_data;
  bool differ = false;
  for (uint32_t i = 0; i < kPorts; ++i) {
    const auto port = static_cast<uint16_t>(kFirst + (src_port * 7u + i) % kPorts);
    const bool same = SwitchesHere(src, dst, port) == there, same_back = SwitchesHere(dst, src, port) == back;
    differ |= !same || !same_back;
    if (same && !for_data) for_data = port;
    constexpr uint32_t kEnough = 64;  // more next hops than any switch has
    if (same && same_back && (differ || i == kEnough)) return differ ? std::optional(port) : std::nullopt;
  }
  return for_data;
}

}  // namespace headroom

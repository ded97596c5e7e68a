// Shortest-path routes with equal-cost multipath, computed on the topology's plain data.
//
// For each node and destination host: the ports of that node that lie on a shortest path (fewest hops; hosts
// do not forward). A switch picks one by a hash of the five-tuple seeded by its own name, so that consecutive
// tiers do not make the same choice (no polarisation).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/topology.h"

namespace headroom {

/// The next-hop sets of one node. Destinations that share a set share its storage.
class RouteTable {
 public:
  RouteTable() = default;
  /// `set_of[host]` indexes `offsets`; the ports of set s are ports[offsets[s] … offsets[s+1]).
  RouteTable(std::vector<uint32_t> set_of, std::vector<uint32_t> offsets, std::vector<uint16_t> ports)
      : set_of_(std::move(set_of)), offsets_(std::move(offsets)), ports_(std::move(ports)) {}

  /// The port indices towards `host`; empty where there is no way.
  std::span<const uint16_t> NextHops(NodeId host) const {
    const uint32_t s = set_of_[host];
    return {ports_.data() + offsets_[s], offsets_[s + 1] - offsets_[s]};
  }

 private:
  std::vector<uint32_t> set_of_;
  std::vector<uint32_t> offsets_;
  std::vector<uint16_t> ports_;
};

/// One table a node, in node order.
std::vector<RouteTable> ComputeRoutes(const Topology& topology);

/// Hash of a five-tuple, computed once at the sender: addresses are node ids, the destination port is
/// RoCEv2's.
constexpr uint32_t FlowHash(NodeId src, NodeId dst, uint32_t source_port) {
  uint64_t x = (uint64_t{src} << 40) ^ (uint64_t{dst} << 16) ^ source_port ^ 4791;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<uint32_t>(x ^ (x >> 31));
}

/// Which of `n` equal next hops a switch with this seed takes for a flow. REQUIRES: n > 0.
constexpr uint32_t EcmpChoice(uint32_t flow_hash, uint32_t switch_seed, uint32_t n) {
  uint64_t x = (uint64_t{flow_hash} << 32) | switch_seed;
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  x ^= x >> 33;
  return static_cast<uint32_t>(((x & 0xffffffffu) * n) >> 32);
}

/// The seed of a switch: a hash (FNV-1a) of its name.
uint32_t EcmpSeed(const std::string& switch_name);

}  // namespace headroom

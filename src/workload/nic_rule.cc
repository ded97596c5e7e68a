#include "workload/nic_rule.h"

#include <algorithm>

#include "workload/parameters.h"
#include "workload/source_port.h"

namespace headroom {

namespace {

/// The peers of a host take its NICs in turn. A ring of hosts uses all NICs, too: hosts of one round of NICs
/// and the next begin with different ones.
uint32_t Turn(uint32_t host, uint32_t peer, uint32_t nics) { return host + peer + host / nics; }

/// The upper bits of a hash decide: its lower ones depend on few bits of the names.
uint32_t Drawn(uint32_t hash, uint32_t nics) { return (hash * 0x9E3779B1u >> 16) % nics; }

}  // namespace

NicEnds NicsOf(const Topology& topology, const WorkloadParameters& workload, NodeId src, NodeId dst,
               uint32_t queue_pair) {
  using Kind = NicRule::Kind;
  const NicRule& rule = workload.arrivals->nic;
  const TopologyNode &from = topology.nodes[src], &to = topology.nodes[dst];
  if (rule.kind == Kind::named || (from.nics == 1 && to.nics == 1)) return {src, dst};
  const uint32_t at_src = from.nics, at_dst = to.nics;
  const uint32_t src_host = src / at_src, dst_host = dst / at_dst;
  uint32_t a = 0, b = 0;
  switch (rule.kind) {
    case Kind::rail:
      a = b = (Turn(src_host, dst_host, std::min(at_src, at_dst)) + queue_pair) % std::min(at_src, at_dst);
      break;
    case Kind::round_robin:
      a = (dst_host + queue_pair) % at_src;
      b = (src_host + queue_pair) % at_dst;
      break;
    case Kind::hash:
      a = Drawn(SourcePort(workload.name + "/from", from.name, to.name, queue_pair), at_src);
      b = Drawn(SourcePort(workload.name + "/to", from.name, to.name, queue_pair), at_dst);
      break;
    case Kind::number:
      a = b = rule.number;
      break;
    case Kind::named:
      break;
  }
  // Only hosts with several NICs have a choice.
  return {src + std::min(a, at_src - 1),
          src == dst ? src + std::min(a, at_src - 1) : dst + std::min(b, at_dst - 1)};
}

std::vector<NodeId> NicsOfHosts(const Topology& topology, const NicRule& rule,
                                const std::vector<NodeId>& hosts) {
  if (rule.kind == NicRule::Kind::named) return hosts;
  std::vector<NodeId> nics;
  for (const NodeId host : hosts) {
    const uint32_t count = topology.nodes[host].nics;
    if (rule.kind == NicRule::Kind::number) {
      nics.push_back(host + std::min<uint32_t>(rule.number, count - 1));
    } else {
      for (uint32_t i = 0; i < count; ++i) nics.push_back(host + i);
    }
  }
  return nics;
}

}  // namespace headroom

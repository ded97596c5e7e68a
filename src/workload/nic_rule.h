// Which NICs of hosts with several carry a workload's messages.
//
// A workload names hosts. Its generator, and all questions to its type, know hosts only: a host is its first
// NIC's node. The NICs of a queue pair follow from its two hosts and its number between them, so every part,
// and every check before a run, knows them without a state.
#pragma once

#include <cstdint>
#include <vector>

#include "net/topology/topology.h"

namespace headroom {

struct WorkloadParameters;

struct NicRule {
  enum class Kind {
    rail,         ///< the same NIC at both ends; queue pairs go round
    round_robin,  ///< each end takes its NICs in turn, in the order of its peers
    hash,         ///< each end draws its NIC, from names
    number,       ///< the NIC with this number, at both ends
    named,        ///< the workload names NICs: nothing is chosen
  };
  Kind kind = Kind::rail;
  uint16_t number = 0;
  bool operator==(const NicRule&) const = default;
};

struct NicEnds {
  NodeId src = 0, dst = 0;
  bool operator==(const NicEnds&) const = default;
};

/// The NICs of queue pair number `queue_pair` between two hosts; with one per message: of the message with
/// this number between them. A host that sends to itself uses one NIC.
NicEnds NicsOf(const Topology& topology, const WorkloadParameters& workload, NodeId src, NodeId dst,
               uint32_t queue_pair);

/// All NICs that may carry messages of these hosts.
std::vector<NodeId> NicsOfHosts(const Topology& topology, const NicRule& rule,
                                const std::vector<NodeId>& hosts);

/// The host that a generator knows, of a NIC that carries its message.
inline NodeId SenderOf(const Topology& topology, const NicRule& rule, NodeId nic) {
  return rule.kind == NicRule::Kind::named ? nic : topology.HostOf(nic);
}

}  // namespace headroom

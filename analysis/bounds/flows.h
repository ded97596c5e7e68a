// The flows of a workload individually: their hosts, source ports, and so their paths.
#pragma once

#include <limits>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/max_min.h"
#include "workload/parameters.h"

namespace headroom {

/// The traffic of one queue pair, which may exist for a single message.
struct Flow {
  NodeId from = 0, to = 0;
  uint16_t source_port = 0;
  double bytes = 0;  ///< payload; 0 for a stream, which has no end
  uint8_t priority = 0;
};

/// With more flows, or a larger product of flows and links, flows are not computed individually. At these
/// limits water-filling takes about a second.
inline constexpr size_t kMostFlows = 20'000;
inline constexpr double kMostFlowLinks = 5e8;

/// The flows of a workload's first messages (Arrivals::OfferFlows). Empty if they are random, or more than
/// `most`.
std::vector<Flow> FlowsOf(const WorkloadParameters& workload, const Fabric& fabric, size_t most);

/// The limit that a sender's window sets to a flow.
struct WindowLimit {
  double rate = std::numeric_limits<double>::infinity();  ///< in bit/s on the wire
  uint64_t packets = 0;  ///< size of the window; this and `base_rtt` are set if the
                         ///< rate is finite
  Time base_rtt;
};
/// A lone flow to this host reaches this rate, or the rate of its slowest link if that is lower. Infinite if
/// the sender has no window, or if packets take paths of different lengths.
WindowLimit WindowLimitOf(const Fabric& fabric, NodeId from, NodeId to, uint16_t source_port);
/// The same for a workload's flow. READ responses, services and programs on verbs have no known limit:
/// infinite.
WindowLimit WindowLimitOf(const Fabric& fabric, const WorkloadParameters& workload, const Flow& flow);

/// Adds the links on a flow's paths, with the share of the flow that each carries.
void AddLinks(const Fabric& fabric, const FlowHops& hops, MaxMinFlow& flow);

/// Whether the workload may send from one host to the other.
bool MaySend(const WorkloadParameters& workload, const Fabric& fabric, NodeId from, NodeId to);

}  // namespace headroom

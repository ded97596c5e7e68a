// The flows of a workload one by one: which hosts, which source port, hence which way.
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
  double bytes = 0;  ///< payload; of a stream 0: it has no end
  uint8_t priority = 0;
};

/// More flows, or more flows times links, are not looked at one by one: about a second of water-filling.
inline constexpr size_t kMostFlows = 20'000;
inline constexpr double kMostFlowLinks = 5e8;

/// Those of a workload's first messages (Arrivals::OfferFlows). Empty if they are drawn, or more than
/// `most`.
std::vector<Flow> FlowsOf(const WorkloadParameters& workload, const Fabric& fabric, size_t most);

/// The limit that a sender's window sets to a flow.
struct WindowLimit {
  double rate = std::numeric_limits<double>::infinity();  ///< bit/s on the wire
  uint64_t packets = 0;                                   ///< the window; with `base_rtt`, of a finite rate
  Time base_rtt;
};
/// A flow to this host that is alone carries this rate, or that of its slowest link. Infinite where the
/// sender has no window, and where packets take ways that differ in length.
WindowLimit WindowLimitOf(const Fabric& fabric, NodeId from, NodeId to, uint16_t source_port);
/// The same of a workload's flow. READ responses, services and programs on verbs have no known limit:
/// infinite.
WindowLimit WindowLimitOf(const Fabric& fabric, const WorkloadParameters& workload, const Flow& flow);

/// Names the links on a flow's ways, with the share of the flow that each carries.
void AddLinks(const Fabric& fabric, const WayHops& ways, MaxMinFlow& flow);

/// Whether the workload may send from one host to the other.
bool MaySend(const WorkloadParameters& workload, const Fabric& fabric, NodeId from, NodeId to);

}  // namespace headroom

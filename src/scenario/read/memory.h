// How much memory a scenario takes, estimated before any of it is taken.
#pragma once

#include <cstdint>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/topology_spec.h"

namespace headroom {

/// Bytes for nodes, ports, routes and parameters: 5.5 KB a port, 5.5 KB a host beside its port, 5 KB a
/// switch, and for routes 8 B for each pair of switches and 16 B a host. Measured on trees of up to 80,000
/// hosts.
double EstimateMemory(const TopologySize& size);

/// Bytes for the whole: the topology; messages, I/Os, queue pairs, connections of services and frames in
/// flight as the workloads are expected to make them; and what is observed, up to the deadline. A bound more
/// than a mean: buffers are taken to be full.
double EstimateMemory(const Scenario& scenario);

/// What of it takes how much, and what would take less.
struct MemoryPart {
  const char* what;
  const char* less;
  double bytes;
  bool of_topology = false;  ///< goes with the number of hosts and switches
};
std::vector<MemoryPart> MemoryParts(const Scenario& scenario);

/// The most frames that are alive at once: what links and pipelines hold, and all buffers full; but no more
/// than there are packets, for an ACK takes the place of its packet.
double FramesInFlight(const Scenario& scenario);

/// Bytes that this machine, or the control group we run in, has.
double MachineMemory();

/// "1.5 GB"
std::string FormatMemory(double bytes);

}  // namespace headroom

// Memory of a run, estimated before it is allocated: the expected amount, and the
// maximum.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/topology_spec.h"
#include "sim/footprint.h"

namespace headroom {

/// Bytes for nodes, ports, routes and parameters: 5.5 KB a port, 5.5 KB a host beside its port, 5 KB a
/// switch, and for routes 8 B for each pair of switches and 16 B a host. Measured on trees of up to 80,000
/// hosts.
double EstimateMemory(const TopologySize& size);

/// What takes how much, and what would take less.
struct MemoryPart {
  std::string what;
  std::string less;
  Forecast bytes;
  /// Its owner: the topology, or the workload or service of this name; empty: several.
  enum class Of { all, topology, workloads, services } of = Of::all;
  std::string name{};
};
std::vector<MemoryPart> MemoryParts(const Scenario& scenario);
/// The part that is expected to take most. REQUIRES: not empty.
const MemoryPart& LargestPart(const std::vector<MemoryPart>& parts);
/// "the run would take about …, the largest part …", of these parts.
std::string DescribeMemory(const std::vector<MemoryPart>& parts);

/// Bytes for the whole run, the program included. At most: every open loop waits, all buffers are full, all
/// series go on to the deadline.
Forecast EstimateMemory(const Scenario& scenario);

/// The most frames that are alive at once: what links and pipelines hold, and all buffers full; but no more
/// than there are packets, for an ACK takes the place of its packet. Expected: buffers are as good as empty.
Forecast FramesInFlight(const Scenario& scenario);

/// Bytes that this machine, or the control group we run in, has.
double MachineMemory();

/// Bytes of it that a run may take now: free memory, within the limits of this process.
double FreeMemory();
/// Bytes that this process takes.
double ResidentMemory();
/// Bytes that its heap has given out: without what a tool takes that runs the program, such as valgrind.
/// Looks at what is free, too, so it is slow.
double HeapMemory();

/// "1.5 GB"
std::string FormatMemory(double bytes);

}  // namespace headroom

// Memory of a run, estimated before it is allocated: expected, and maximum.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/topology_spec.h"
#include "sim/footprint.h"

namespace headroom {

/// Bytes for nodes, ports, routes and parameters: 5.5 KB per port, 5.5 KB per host in addition to its port, 5
/// KB per switch, and for routes 8 B per pair of switches and 16 B per host. Measured on trees of up to
/// 80,000 hosts.
double EstimateMemory(const TopologySize& size);

/// A part of the memory, and advice to reduce it.
struct MemoryPart {
  std::string what;
  std::string less;
  Forecast bytes;
  /// The owner of the part: the topology, or the workload or service with this name; empty: several.
  enum class Of { all, topology, workloads, services } of = Of::all;
  std::string name{};
};
std::vector<MemoryPart> MemoryParts(const Scenario& scenario);
/// The part with the largest expected memory. REQUIRES: `parts` is not empty.
const MemoryPart& LargestPart(const std::vector<MemoryPart>& parts);
/// For example "the run would take about …, the largest part …", for these parts.
std::string DescribeMemory(const std::vector<MemoryPart>& parts);

/// Bytes for the whole run, including the program. Maximum: every open loop waits, all buffers are full, all
/// series continue to the deadline.
Forecast EstimateMemory(const Scenario& scenario);

/// The most frames that exist at the same time: those in links and pipelines, and all buffers full; but at
/// most one per packet, because an ACK replaces its packet, unless the recovery repeats packets. Expected:
/// buffers are nearly empty.
Forecast FramesInFlight(const Scenario& scenario);

/// Bytes of memory of this machine, or of this process's control group.
double MachineMemory();

/// Bytes that a run may take now: free memory, within the limits of this process.
double FreeMemory();
/// Bytes that this process uses.
double ResidentMemory();
/// Bytes allocated from this process's heap, without the memory of a tool that runs the program, such as
/// valgrind. The function also walks the free blocks, so it is slow.
double HeapMemory();

/// For example "1.5 GB".
std::string FormatMemory(double bytes);

}  // namespace headroom

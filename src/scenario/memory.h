// How much memory a scenario takes, estimated before any of it is taken.
#pragma once

#include <cstdint>

#include "scenario/scenario.h"
#include "scenario/topology_spec.h"

namespace headroom {

/// Bytes for nodes, ports, routes and parameters: 1 KiB a node, 2 KiB a port, 4 KiB a switch, 512 B a host,
/// and for routes 8 B for each pair of switches and 16 B a host.
double EstimateMemory(const TopologySize& size);

/// Bytes for the whole: the topology; 112 B for each message that the workloads are expected to offer; and 24
/// B for each sample of what is observed, up to `duration`.
double EstimateMemory(const Scenario& scenario);

/// Messages that a workload offers, as expected before the run.
double ExpectedMessages(const WorkloadParameters& workload, const Scenario& scenario);

/// Bytes that this machine, or the control group we run in, has.
double MachineMemory();

/// "1.5 GB"
std::string FormatMemory(double bytes);

}  // namespace headroom

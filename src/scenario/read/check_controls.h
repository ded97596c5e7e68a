// Checks of congestion controls other than DCQCN, and of the priorities and hosts that they control.
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "scenario/workload.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Checks that packets have room for the records of all switches on their paths. `nics`: the section, or
/// null. REQUIRES: the scenario's topology and nics have been read.
void CheckRecords(const Scenario& scenario, const Node* nics, const Position& where, Errors& errors);

/// Checks that messages of hosts with a control use a transport that informs the control.
void CheckControlled(const std::vector<Workload>& workloads, const Topology& topology,
                     const SharedList<NicParameters>& nics, Errors& errors);

}  // namespace headroom

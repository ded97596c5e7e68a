// The `faults:` and `observe:` sections.
#pragma once

#include <vector>

#include "scenario/names.h"
#include "scenario/read_fault_places.h"
#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

std::vector<Fault> ReadFaults(const Node& list, const FaultContext& context, Errors& errors);

/// queues, groups, rates and goodput, each {every} and perhaps {match}, a pattern over node or node:port
/// (rates: over hosts), or a list of them, each of which must match something.
Observations ReadObservations(const Node& node, const NodeNames& names, Errors& errors);

}  // namespace headroom

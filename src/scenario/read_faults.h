// The `faults:` and `observe:` sections.
#pragma once

#include <vector>

#include "scenario/names.h"
#include "scenario/reader.h"
#include "scenario/scenario.h"

namespace headroom {

/// Faults of type mark and loss; the other types are refused as not supported yet.
std::vector<Fault> ReadFaults(const Node& list, const NodeNames& names, const Topology& topology,
                              Errors& errors);

/// queues, groups, rates and goodput, each {every} and perhaps {match}, a pattern over node or node:port
/// (rates: over hosts) that must match something.
Observations ReadObservations(const Node& node, const NodeNames& names, Errors& errors);

}  // namespace headroom

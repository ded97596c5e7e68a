// What must hold of routing, topology and classes together.
#pragma once

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Dimension order and its dateline fit the network, no lossless class is routed adaptively on a torus, and
/// weights fit into route tables. `switches`: the section, or null; errors are at the entries' routing.
/// REQUIRES: topology, classes and switches of the scenario are read.
void CheckRouting(const Scenario& scenario, const Node* switches, const Position& topology, Errors& errors);

}  // namespace headroom

// Conditions on routing, topology and classes together.
#pragma once

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Checks that dimension order and its dateline fit the network, that no lossless class is routed adaptively
/// on a torus, and that weights fit into route tables. `switches`: the section, or null; errors are at the
/// entries' routing. REQUIRES: the scenario's topology, classes and switches have been read.
void CheckRouting(const Scenario& scenario, const Node* switches, const Position& topology, Errors& errors);

}  // namespace headroom

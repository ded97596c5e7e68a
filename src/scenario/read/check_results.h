// Rules of `results: stream` across sections.
#pragma once

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// With `results: stream`, refuses observations that stay in memory, each at its key, and leaves out the
/// causes of pauses.
void CheckResults(const Node& root, Scenario& scenario, Errors& errors);

}  // namespace headroom

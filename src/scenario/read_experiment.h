// The `vary:`, `seeds:` and `expect:` sections.
#pragma once

#include "scenario/experiment.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// `scenario` is the whole document, for the keys that `vary` names. Registers the three keys with `map`.
Experiment ReadExperiment(MapReader& map, const Node& scenario);

}  // namespace headroom

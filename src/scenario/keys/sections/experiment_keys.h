// The `vary:` and `expect:` sections.
#pragma once

#include <vector>

#include "scenario/experiment.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

/// Paths are looked up in the reading's document.
KindOf<std::vector<Variation>> Vary();
/// REQUIRES: the varied keys are known.
KindOf<std::vector<Expectation>> Expectations();

}  // namespace headroom::keys

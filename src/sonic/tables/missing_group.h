// The reason why a port with PFC has no lossless group, and the remedy.
#pragma once

#include <string>

#include "sonic/tables/config.h"

namespace headroom {

struct MissingGroup {
  std::string why, change;
};

/// For the configuration's buffer model, and the lookup table that it was read with.
MissingGroup WhyNoLosslessGroup(const SonicConfig& config, const SonicPort& port);

}  // namespace headroom

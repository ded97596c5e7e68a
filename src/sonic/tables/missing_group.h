// Why a port that has PFC has no lossless group, and what would give it one.
#pragma once

#include <string>

#include "sonic/tables/config.h"

namespace headroom {

struct MissingGroup {
  std::string why, change;
};

/// Of the buffer model that the configuration has, and the lookup table that it was read with.
MissingGroup WhyNoLosslessGroup(const SonicConfig& config, const SonicPort& port);

}  // namespace headroom

// The fluid model at one bottleneck as JSON. Keys name units; a missing value is null.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/check/check_fluid.h"

namespace headroom {

nlohmann::ordered_json FluidAsJson(const FluidCheck& check);

}  // namespace headroom

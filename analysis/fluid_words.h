// The fluid model's answers in words that findings and tables share.
#pragma once

#include <string>

#include "analysis/check_fluid.h"

namespace headroom {

/// "−6.4°"; "< −180°" where the phase has turned more than once
std::string DegreesText(double degrees);

/// What to change, with the margin that it brings.
std::string RemediesText(const FluidCheck& check);

}  // namespace headroom

// Changes that would stabilise an oscillating loop, tried on the model itself.
#pragma once

#include <vector>

#include "analysis/fluid/fluid_model.h"

namespace headroom {

/// A setting changed by a factor, and the margin that it brings.
struct FluidRemedy {
  enum class Of {
    rate_ai,  ///< divided by the factor
    kmax      ///< Kmax − Kmin multiplied by the factor, Pmax as it is
  };
  Of of = Of::rate_ai;
  int factor = 1;
  double margin = 0;
};

/// For each kind, the smallest factor (a power of two up to 64) that reaches kGoodMargin, if one does.
std::vector<FluidRemedy> RemediesOf(const FluidParameters& p);

}  // namespace headroom

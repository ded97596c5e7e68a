// Changes that would stabilise an oscillating loop, evaluated with the model itself.
#pragma once

#include <vector>

#include "analysis/fluid/fluid_model.h"

namespace headroom {

/// A setting changed by a factor, and the resulting margin.
struct FluidRemedy {
  enum class Of {
    rate_ai,  ///< divided by the factor
    kmax      ///< Kmax − Kmin multiplied by the factor, with the same Pmax
  };
  Of of = Of::rate_ai;
  int factor = 1;
  double margin = 0;
};

/// For each kind, the smallest factor (a power of two up to 64) that reaches kGoodMargin, if there is one.
std::vector<FluidRemedy> RemediesOf(const FluidParameters& p);

}  // namespace headroom

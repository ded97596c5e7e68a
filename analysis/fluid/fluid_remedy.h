// What would calm a loop that oscillates, tried on the model itself.
#pragma once

#include <optional>
#include <vector>

#include "analysis/fluid/fluid_loop.h"

namespace headroom {

/// Degrees. Below `kLowMargin` a loop is close to oscillating: disturbances take many waves to die out.
/// Remedies reach `kGoodMargin`.
inline constexpr double kLowMargin = 5, kGoodMargin = 10;

/// What the linear model says of one setting.
struct FluidStability {
  FluidFixedPoint at;
  std::optional<FluidLoop::Crossover> crossover;  ///< none where RED is a step, or the loop has no gain
  bool stable = false;                            ///< small disturbances die out

  /// Degrees; none without a crossover.
  std::optional<double> Margin() const { return crossover ? std::optional(crossover->margin) : std::nullopt; }
};
FluidStability StabilityOf(const FluidParameters& p);

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

/// Of each kind the smallest factor, a power of two up to 64, that brings kGoodMargin; none where none does.
std::vector<FluidRemedy> RemediesOf(const FluidParameters& p);

}  // namespace headroom

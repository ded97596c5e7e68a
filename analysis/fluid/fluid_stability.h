// When the linear model finds a setting stable, and with which margin.
#pragma once

#include <optional>

#include "analysis/fluid/fluid_loop.h"

namespace headroom {

/// Degrees. Below `kLowMargin` a loop is close to oscillating: disturbances take many waves to die out.
/// Remedies (fluid_remedy.h) reach `kGoodMargin`.
inline constexpr double kLowMargin = 5, kGoodMargin = 10;

struct FluidStability {
  FluidFixedPoint at;
  std::optional<FluidLoop::Crossover> crossover;  ///< none where RED is a step, or the loop has no gain
  bool stable = false;                            ///< small disturbances die out: no mode grows

  /// Degrees; none without a crossover.
  std::optional<double> Margin() const { return crossover ? std::optional(crossover->margin) : std::nullopt; }
};
FluidStability StabilityOf(const FluidParameters& p);

}  // namespace headroom

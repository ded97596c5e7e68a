// Whether the linear model finds a setting stable, and its margin.
#pragma once

#include <optional>

#include "analysis/fluid/fluid_loop.h"

namespace headroom {

/// In degrees. Below `kLowMargin` a loop is close to oscillating: disturbances need many waves to decay.
/// Remedies (fluid_remedy.h) reach `kGoodMargin`.
inline constexpr double kLowMargin = 5, kGoodMargin = 10;

struct FluidStability {
  FluidFixedPoint at;
  std::optional<FluidLoop::Crossover> crossover;  ///< none if RED is a step, or if the loop has no gain
  bool stable = false;                            ///< small disturbances decay: no mode grows

  /// In degrees; none without a crossover.
  std::optional<double> Margin() const { return crossover ? std::optional(crossover->margin) : std::nullopt; }
};
FluidStability StabilityOf(const FluidParameters& p);

}  // namespace headroom

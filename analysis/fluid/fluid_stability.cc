#include "analysis/fluid/fluid_stability.h"

namespace headroom {

FluidStability StabilityOf(const FluidParameters& p) {
  FluidStability s;
  s.at = SolveFixedPoint(p);
  if (p.Slope() == 0) return s;
  const FluidLoop loop(p, s.at);
  s.crossover = loop.WorstCrossover();
  s.stable = loop.CommonUnstableModes() == 0 && loop.DifferenceUnstableModes() == 0;
  return s;
}

}  // namespace headroom

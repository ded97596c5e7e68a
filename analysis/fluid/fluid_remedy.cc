#include "analysis/fluid/fluid_remedy.h"

#include "analysis/fluid/fluid_stability.h"

namespace headroom {
namespace {

constexpr int kLargestFactor = 64;

FluidParameters Changed(FluidParameters p, FluidRemedy::Of of, int factor) {
  if (of == FluidRemedy::Of::rate_ai) {
    p.rate_ai /= factor;
  } else {
    p.kmax = p.kmin + (p.kmax - p.kmin) * factor;
  }
  return p;
}

}  // namespace

std::vector<FluidRemedy> RemediesOf(const FluidParameters& p) {
  std::vector<FluidRemedy> remedies;
  if (p.Slope() == 0) return remedies;
  for (const FluidRemedy::Of of : {FluidRemedy::Of::rate_ai, FluidRemedy::Of::kmax}) {
    for (int factor = 2; factor <= kLargestFactor; factor *= 2) {
      const FluidStability s = StabilityOf(Changed(p, of, factor));
      if (!s.stable || !s.crossover || s.crossover->margin < kGoodMargin) continue;
      remedies.push_back({of, factor, s.crossover->margin});
      break;
    }
  }
  return remedies;
}

}  // namespace headroom

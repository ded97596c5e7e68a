#include "analysis/fluid/fluid_fixed_point.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

/// ln of the left side minus ln of the right side; increases with lambda.
double Excess(const FluidParameters& p, double lambda, double rate) {
  const FluidEvents at = EventsAt(p, lambda, rate).value;
  return std::log(at.alpha) + 2 * std::log(at.cuts) - std::log(at.recoveries) - std::log(at.increases) -
         std::log(p.rate_ai / rate);
}

}  // namespace

double ApproximateMarking(const FluidParameters& p) {
  const double n = p.flows, c = p.capacity;
  const double events = (p.byte_counter > 0 ? 1 / p.byte_counter : 0) + n / (p.increase_timer * c);
  return std::cbrt(p.rate_ai * n * n / (p.alpha_timer * c * c) * events * events);
}

FluidFixedPoint SolveFixedPoint(const FluidParameters& p) {
  FluidFixedPoint at;
  at.rate = p.capacity / p.flows;
  // Bisection in ln λ: the ends are far beyond any setting, and a hundred halvings exhaust a double.
  double low = std::log(1e-30), high = std::log(100.0);
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (Excess(p, std::exp(middle), at.rate) < 0 ? low : high) = middle;
  }
  at.lambda = std::exp((low + high) / 2);
  at.p = -std::expm1(-at.lambda);
  at.p_approx = ApproximateMarking(p);
  const FluidEvents events = EventsAt(p, at.lambda, at.rate).value;
  at.alpha = events.alpha;
  at.target = at.rate + p.rate_ai * events.increases / events.cuts;
  at.pinned = p.Slope() == 0 || (at.p > p.pmax && !p.line_goes_on);
  at.queue = at.pinned ? p.kmax : p.kmin + at.p / p.Slope();
  if (p.byte_counter > 0) {
    // Both counters past F stages without a mark, relative to one of them.
    const double stage = std::max(p.byte_counter, p.increase_timer * at.rate);
    const double sooner = std::min(p.byte_counter, p.increase_timer * at.rate);
    at.hyper = std::exp(-p.fast_recovery * (stage - sooner) * at.lambda);
  }
  return at;
}

}  // namespace headroom

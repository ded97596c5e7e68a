#include "analysis/fluid/fluid_model.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

/// At this λ all packets but one in 10^300 are marked, which counts as all.
constexpr double kAlways = 690;

/// x / (e^x − 1), for x ≥ 0.
double Phi(double x) { return x == 0 ? 1 : -x * std::exp(-x) / std::expm1(-x); }

/// Its derivative. Near 0 the closed form cancels; there the series with the Bernoulli numbers replaces it.
double PhiSlope(double x) {
  if (x < 0.25) {
    const double y = x * x;
    return -0.5 + x * (1.0 / 6 - y * (1.0 / 180 - y * (1.0 / 5040 - y * (1.0 / 151'200 - y / 4'790'016))));
  }
  return Phi(x) * (1 / x + 1 / std::expm1(-x));
}

}  // namespace

FluidEventsAt EventsAt(const FluidParameters& p, double lambda, double rate) {
  FluidEventsAt at;
  const double in_tau = p.tau * rate, in_alpha = p.alpha_timer * rate, in_timer = p.increase_timer * rate;

  at.value.cuts = -std::expm1(-in_tau * lambda) / p.tau;
  at.by_lambda.cuts = rate * std::exp(-in_tau * lambda);
  at.by_rate.cuts = lambda * std::exp(-in_tau * lambda);

  at.value.alpha = -std::expm1(-in_alpha * lambda);
  at.by_lambda.alpha = in_alpha * std::exp(-in_alpha * lambda);
  at.by_rate.alpha = p.alpha_timer * lambda * std::exp(-in_alpha * lambda);

  // ψ = e^−λ / φ(λ).
  const double psi = std::exp(-lambda) / Phi(lambda);
  const double psi_slope = -psi * (1 + PhiSlope(lambda) / Phi(lambda));

  // R d and R e: events of the timer.
  const double timer = psi * Phi(in_timer * lambda) / p.increase_timer;
  const double timer_by_lambda =
      psi_slope * Phi(in_timer * lambda) / p.increase_timer + psi * rate * PhiSlope(in_timer * lambda);
  const double timer_by_rate = psi * lambda * PhiSlope(in_timer * lambda);
  const double recovered = std::exp(-p.fast_recovery * in_timer * lambda);
  at.value.recoveries = timer;
  at.by_lambda.recoveries = timer_by_lambda;
  at.by_rate.recoveries = timer_by_rate;
  at.value.increases = timer * recovered;
  at.by_lambda.increases = (timer_by_lambda - p.fast_recovery * in_timer * timer) * recovered;
  at.by_rate.increases = (timer_by_rate - p.fast_recovery * p.increase_timer * lambda * timer) * recovered;

  // b and c: events of the byte counter.
  if (p.byte_counter <= 0) return at;
  const double b = psi * Phi(p.byte_counter * lambda) / p.byte_counter;
  const double b_slope =
      psi_slope * Phi(p.byte_counter * lambda) / p.byte_counter + psi * PhiSlope(p.byte_counter * lambda);
  const double stages = p.fast_recovery * p.byte_counter;
  const double unmarked = std::exp(-stages * lambda);
  at.value.recoveries += rate * b;
  at.by_lambda.recoveries += rate * b_slope;
  at.by_rate.recoveries += b;
  at.value.increases += rate * b * unmarked;
  at.by_lambda.increases += rate * (b_slope - stages * b) * unmarked;
  at.by_rate.increases += b * unmarked;
  return at;
}

double LambdaAt(const FluidParameters& p, double queue) {
  if (queue <= p.kmin) return 0;
  if (queue > p.kmax && !p.line_goes_on) return kAlways;
  const double marked = p.Slope() * (queue - p.kmin);
  return marked < 1 ? std::min(-std::log1p(-marked), kAlways) : kAlways;
}

}  // namespace headroom

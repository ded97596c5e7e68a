#include "analysis/fluid/fluid_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/fluid/fluid_setups.h"

namespace headroom::fluid_model_test {
namespace {

TEST(EventsAt, AreThoseOfThePaper) {
  // The paper's a to e as printed, for a case in which no terms cancel: p = 2 %, R = 1.25e6 packets/s.
  const FluidParameters p = AuthorsSetup(4, 0);
  const double rate = p.capacity / 4, mark = 0.02, lambda = -std::log1p(-mark);
  const double a = 1 - std::pow(1 - mark, p.tau * rate);
  const double b = mark / (std::pow(1 - mark, -p.byte_counter) - 1);
  const double c = b * std::pow(1 - mark, p.fast_recovery * p.byte_counter);
  const double d = mark / (std::pow(1 - mark, -p.increase_timer * rate) - 1);
  const double e = d * std::pow(1 - mark, p.fast_recovery * p.increase_timer * rate);
  const FluidEvents got = EventsAt(p, lambda, rate).value;
  EXPECT_NEAR(got.cuts, a / p.tau, 1e-9 * a / p.tau);
  EXPECT_NEAR(got.recoveries, rate * (b + d), 1e-9 * rate * (b + d));
  EXPECT_NEAR(got.increases, rate * (c + e), 1e-9 * rate * (c + e));
  EXPECT_NEAR(got.alpha, 1 - std::pow(1 - mark, p.alpha_timer * rate), 1e-12);
}

TEST(EventsAt, DoNotCancelWhereMarksAreRare) {
  // For p → 0: cuts R p, alpha R τ' p, and recoveries and increases R/B + 1/T, up to order p.
  const FluidParameters p = AuthorsSetup(2, 0);
  const double rate = p.capacity / 2, rest = rate / p.byte_counter + 1 / p.increase_timer;
  for (const double lambda : {0.0, 1e-300, 1e-18, 1e-14, 1e-11}) {
    const FluidEventsAt at = EventsAt(p, lambda, rate);
    EXPECT_NEAR(at.value.cuts, rate * lambda, 1e-6 * rate * lambda) << lambda;
    EXPECT_NEAR(at.value.alpha, rate * p.alpha_timer * lambda, 1e-6 * rate * p.alpha_timer * lambda)
        << lambda;
    EXPECT_NEAR(at.value.recoveries, rest, 1e-6 * rest) << lambda;
    EXPECT_NEAR(at.value.increases, rest, 1e-6 * rest) << lambda;
    // φ'(0) = −1/2: R b falls with λ by R (1/2 + 1/(2B)), R d by R (1/2 + 1/(2TR)).
    const double slope = -rate * (1 + 0.5 / p.byte_counter + 0.5 / (p.increase_timer * rate));
    EXPECT_NEAR(at.by_lambda.recoveries, slope, 1e-6 * -slope) << lambda;
  }
  // If every packet is marked there is no recovery.
  const FluidEvents full = EventsAt(p, 690, rate).value;
  EXPECT_EQ(full.alpha, 1);
  EXPECT_EQ(full.recoveries, 0);
  EXPECT_EQ(full.increases, 0);
}

TEST(EventsAt, DerivativesAreThoseOfTheValues) {
  for (const double byte_counter : {0.0, 1e4}) {
    FluidParameters p = AuthorsSetup(8, 0);
    p.byte_counter = byte_counter;
    for (const double lambda : {1e-7, 1e-5, 2.4e-5, 2.6e-5, 1e-3, 0.02, 0.24, 0.3}) {
      for (const double rate : {2e4, 1e6, 5e6}) {
        const FluidEventsAt at = EventsAt(p, lambda, rate);
        const double dl = 1e-6 * lambda, dr = 1e-6 * rate;
        const FluidEvents l0 = EventsAt(p, lambda - dl, rate).value,
                          l1 = EventsAt(p, lambda + dl, rate).value;
        const FluidEvents r0 = EventsAt(p, lambda, rate - dr).value,
                          r1 = EventsAt(p, lambda, rate + dr).value;
        const auto near = [&](double got, double high, double low, double span, double value, double by) {
          // Differences over 1e-6 of the argument are exact to 1e-10 of the value over the argument.
          EXPECT_NEAR(got, (high - low) / span, 1e-7 * std::abs(got) + 1e-9 * value / by)
              << lambda << ' ' << rate;
        };
        near(at.by_lambda.cuts, l1.cuts, l0.cuts, 2 * dl, at.value.cuts, lambda);
        near(at.by_lambda.recoveries, l1.recoveries, l0.recoveries, 2 * dl, at.value.recoveries, lambda);
        near(at.by_lambda.increases, l1.increases, l0.increases, 2 * dl, at.value.increases, lambda);
        near(at.by_lambda.alpha, l1.alpha, l0.alpha, 2 * dl, at.value.alpha, lambda);
        near(at.by_rate.cuts, r1.cuts, r0.cuts, 2 * dr, at.value.cuts, rate);
        near(at.by_rate.recoveries, r1.recoveries, r0.recoveries, 2 * dr, at.value.recoveries, rate);
        near(at.by_rate.increases, r1.increases, r0.increases, 2 * dr, at.value.increases, rate);
        near(at.by_rate.alpha, r1.alpha, r0.alpha, 2 * dr, at.value.alpha, rate);
      }
    }
  }
}

TEST(LambdaAt, IsRedsLineAndItsStep) {
  FluidParameters p = AuthorsSetup(2, 0);
  p.line_goes_on = false;
  EXPECT_EQ(LambdaAt(p, 5), 0);
  // In the middle of the curve: 0.5 %.
  EXPECT_NEAR(-std::expm1(-LambdaAt(p, 102.5)), 0.005, 1e-15);
  EXPECT_NEAR(-std::expm1(-LambdaAt(p, 200)), 0.01, 1e-15);
  EXPECT_EQ(-std::expm1(-LambdaAt(p, 200.1)), 1);
  // Beyond it: 195 packets a per cent.
  p.line_goes_on = true;
  EXPECT_NEAR(-std::expm1(-LambdaAt(p, 395)), 0.02, 1e-15);
  EXPECT_EQ(-std::expm1(-LambdaAt(p, 5 + 195 * 101)), 1);
}

}  // namespace
}  // namespace headroom::fluid_model_test

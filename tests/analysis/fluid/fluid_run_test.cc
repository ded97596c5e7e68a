#include "analysis/fluid/fluid_run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/fluid/fluid_fixed_point.h"
#include "analysis/fluid/fluid_setups.h"

namespace headroom::fluid_run_test {
namespace {

TEST(RunFluid, StaysAtTheFixedPoint) {
  for (const double delay : {0.0, 1e-6, 50e-6}) {
    const FluidParameters p = AuthorsSetup(2, delay);
    const FluidFixedPoint at = SolveFixedPoint(p);
    const auto run = RunFluid(p, {{{2, delay, at.rate, at.target, at.alpha}}, at.queue}, 20e-3, 1e-3);
    ASSERT_EQ(run.size(), 21u);
    for (const FluidSample& s : run) {
      EXPECT_NEAR(s.queue, at.queue, 1e-6);
      EXPECT_NEAR(s.rates[0], at.rate, 1e-6);
    }
  }
}

TEST(RunFluid, ComesToTheFixedPointFromLineRate) {
  const FluidParameters p = AuthorsSetup(2, 4e-6);
  const FluidFixedPoint at = SolveFixedPoint(p);
  const FluidSample end = RunFluid(p, {{{2, 4e-6, p.line, p.line, 1}}, 0}, 0.4, 1e-3).back();
  EXPECT_NEAR(end.queue, at.queue, 0.01 * at.queue);
  EXPECT_NEAR(end.rates[0], at.rate, 1e-3 * at.rate);
  EXPECT_NEAR(end.p, at.p, 0.01 * at.p);
}

TEST(RunFluid, FlowsBecomeEqual) {
  // One flow has nine tenths of the link. The paper bounds the time to within 10 % by 97 ms for two flows.
  const FluidParameters p = AuthorsSetup(2, 4e-6);
  const FluidFixedPoint at = SolveFixedPoint(p);
  const double more = 1.8 * at.rate, less = 0.2 * at.rate;
  const auto run =
      RunFluid(p, {{{1, 4e-6, more, more, at.alpha}, {1, 4e-6, less, less, at.alpha}}, at.queue}, 0.1, 1e-3);
  EXPECT_LT(std::abs(run.back().rates[0] - run.back().rates[1]), 0.1 * at.rate);
  EXPECT_GT(run[5].rates[0] - run[5].rates[1], 0.1 * at.rate);
}

TEST(RunFluid, TheStepDoesNotMatter) {
  // The step is a fraction of the delay: delays close to a step use steps of half and of all of 2 us.
  const auto end_of = [](double delay) {
    const FluidParameters p = AuthorsSetup(4, delay);
    return RunFluid(p, {{{4, delay, p.line, p.line, 1}}, 0}, 10e-3, 1e-3).back();
  };
  const FluidSample whole = end_of(2e-6), half = end_of(2.0001e-6);
  EXPECT_NEAR(whole.time, half.time, 3e-6);
  EXPECT_NEAR(whole.queue, half.queue, 0.002 * whole.queue);
  EXPECT_NEAR(whole.rates[0], half.rates[0], 0.002 * whole.rates[0]);
}

TEST(RunFluid, QueuesAndRatesStayWithinTheirBounds) {
  FluidParameters p = AuthorsSetup(10, 100e-6);
  p.least_rate = 10e6 / 8000;
  p.line_goes_on = false;
  for (const FluidSample& s : RunFluid(p, {{{10, 100e-6, p.line, p.line, 1}}, 0}, 50e-3, 10e-6)) {
    EXPECT_GE(s.queue, 0);
    EXPECT_GE(s.rates[0], p.least_rate);
    EXPECT_LE(s.rates[0], p.line);
  }
}

}  // namespace
}  // namespace headroom::fluid_run_test

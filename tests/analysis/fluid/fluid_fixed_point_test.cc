// The fixed point of Zhu et al., CoNEXT 2016, section 3.1: computed from the paper's parameters, to the
// digits that the tables here have.
#include "analysis/fluid/fluid_fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "analysis/fluid/fluid_setups.h"

namespace headroom::fluid_fixed_point_test {
namespace {

TEST(SolveFixedPoint, IsThePublishedOne) {
  const int flows[] = {2, 4, 8, 10, 16, 20, 32, 64};
  // Percent, printed with two or three digits; so the tolerance is half of the last digit.
  const double exact[] = {0.078, 0.189, 0.455, 0.603, 1.09, 1.44, 2.56, 5.91};
  const double approx[] = {0.092, 0.232, 0.583, 0.785, 1.47, 1.98, 3.70, 9.31};
  for (size_t i = 0; i < std::size(flows); ++i) {
    const FluidFixedPoint at = SolveFixedPoint(AuthorsSetup(flows[i], 0));
    const double last = flows[i] < 16 ? 0.0006 : 0.006;
    EXPECT_NEAR(100 * at.p, exact[i], last) << flows[i];
    EXPECT_NEAR(100 * at.p_approx, approx[i], last) << flows[i];
  }
  // KB, which are packets here.
  const double queue[] = {20.2, 41.8, 93.8, 122.6};
  for (size_t i = 0; i < std::size(queue); ++i)
    EXPECT_NEAR(SolveFixedPoint(AuthorsSetup(flows[i], 0)).queue, queue[i], 0.06) << flows[i];
}

TEST(SolveFixedPoint, IsPinnedAtKmaxWhereMarkingWouldExceedPmax) {
  for (int n = 2; n <= 64; ++n) {
    FluidParameters p = AuthorsSetup(n, 0);
    p.line_goes_on = false;
    const FluidFixedPoint at = SolveFixedPoint(p);
    EXPECT_EQ(at.pinned, n >= 15) << n;
    if (at.pinned) {
      EXPECT_EQ(at.queue, 200);
    }
  }
}

TEST(SolveFixedPoint, IsWhereTheEquationsRest) {
  for (const int n : {1, 2, 10, 64, 500}) {
    const FluidParameters p = AuthorsSetup(n, 0);
    const FluidFixedPoint at = SolveFixedPoint(p);
    const FluidEvents e = EventsAt(p, at.lambda, at.rate).value;
    EXPECT_NEAR(e.alpha, at.alpha, 1e-12);
    EXPECT_NEAR((at.target - at.rate) * e.cuts, p.rate_ai * e.increases, 1e-9 * p.rate_ai * e.increases) << n;
    EXPECT_NEAR(at.rate * at.alpha * e.cuts, (at.target - at.rate) * e.recoveries,
                1e-9 * at.rate * at.alpha * e.cuts)
        << n;
  }
}

TEST(SolveFixedPoint, HyperIncreaseIsRareAtTheAuthorsSettingsAndCommonOnFastLinks) {
  EXPECT_LT(SolveFixedPoint(AuthorsSetup(2, 0)).hyper, 1e-6);
  // Two flows at 400 Gb/s: 25e6 packets/s take 0.4 ms for B, 10^4 packets: five events of both counters in 2
  // ms.
  FluidParameters p = AuthorsSetup(2, 0);
  p.capacity = p.line = 400e9 / 8000;
  const FluidFixedPoint at = SolveFixedPoint(p);
  EXPECT_NEAR(at.hyper, std::exp(-5 * (1e4 - 55e-6 * 25e6) * at.lambda), 1e-12);
  EXPECT_GT(at.hyper, 0.1);
}

}  // namespace
}  // namespace headroom::fluid_fixed_point_test

#include "report/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "report/statistics.h"

namespace headroom {
namespace {

TEST(VerdictOf, IsByTheEndsOfTheInterval) {
  EXPECT_EQ(VerdictOf({-0.16, 0.05}, 0.03), Verdict::lower);
  EXPECT_EQ(VerdictOf({0.16, 0.05}, 0.03), Verdict::higher);
  EXPECT_EQ(VerdictOf({0.16, 0.17}, 0.03), Verdict::undecided);
  EXPECT_EQ(VerdictOf({0.01, 0.015}, 0.03), Verdict::none);
  EXPECT_EQ(VerdictOf({0.01, 0.0}, 0.03), Verdict::none);  // certain, but too small to matter
  EXPECT_EQ(VerdictOf({0.02, 0.015}, 0.03), Verdict::higher);
  EXPECT_EQ(VerdictOf({0, 0}, 0.03), Verdict::none);
}

// A ratio of a half to two: the interval of the logarithm is even, that of the change is not.
TEST(Effect, OfALogarithmIsOfTheRatio) {
  const Effect effect{0, std::log(2), true};
  EXPECT_NEAR(effect.Low(), -0.5, 1e-12);
  EXPECT_NEAR(effect.High(), 1, 1e-12);
  EXPECT_EQ(effect.Change(), 0);
}

// The number of seeds is the smallest that decides: one seed less leaves the verdict open.
TEST(MoreSeedsToDecide, AreTheFewest) {
  std::mt19937 chance(1);
  std::uniform_real_distribution<double> change(-0.3, 0.3), width(0.02, 0.6);
  std::uniform_int_distribution<size_t> count(2, 40);
  int tried = 0;
  for (int i = 0; i < 500; ++i) {
    const double c = change(chance), half = width(chance);
    const size_t seeds = count(chance);
    const bool logarithm = i % 2 == 1;
    if (VerdictOf({c, half, logarithm}, 0.03) != Verdict::undecided) continue;
    const auto more = MoreSeedsToDecide({c, half, logarithm}, seeds, 0.03);
    if (!more) continue;
    ++tried;
    const double spread = half / StudentT95(seeds - 1) * std::sqrt(static_cast<double>(seeds));
    const auto with = [&](size_t n) {
      return VerdictOf({c, StudentT95(n - 1) * spread / std::sqrt(static_cast<double>(n)), logarithm}, 0.03);
    };
    EXPECT_NE(with(seeds + *more), Verdict::undecided);
    EXPECT_EQ(with(seeds + *more - 1), Verdict::undecided);
  }
  EXPECT_GT(tried, 200);
}

TEST(MoreSeedsToDecide, AreNoneWhereTheChangeIsTheResolution) {
  EXPECT_FALSE(MoreSeedsToDecide({0.0, 1e3}, 5, 0.03));
}

TEST(UndecidedText, CountsSeeds) {
  EXPECT_EQ(UndecidedText(1), "undecided: 1 more seed would decide");
  EXPECT_EQ(UndecidedText(12), "undecided: 12 more seeds would decide");
  EXPECT_EQ(UndecidedText({}), "undecided");
  EXPECT_EQ(NoDifferenceText(0.03), "no difference larger than 3 %");
}

}  // namespace
}  // namespace headroom

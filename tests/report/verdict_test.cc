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

TEST(EffectOfPairs, IsOfLogarithmsWhereAllValuesAreAboveZero) {
  // A half at each seed, so a seed with a long tail counts like another, and there is no spread.
  const Effect half = EffectOfPairs({{100, 50}, {100, 50}, {10'000, 5'000}});
  EXPECT_DOUBLE_EQ(half.Change(), -0.5);
  EXPECT_EQ(half.half, 0);
  // ln 2 and ln 8: the mean is ln 4, s = √2 ln 2, so ±12.7062 ln 2; at 99 % ±63.6567 ln 2.
  EXPECT_NEAR(EffectOfPairs({{1, 2}, {1, 8}}).Change(), 3, 1e-12);
  EXPECT_NEAR(EffectOfPairs({{1, 2}, {1, 8}}).half, 12.7062 * std::log(2), 1e-4);
  EXPECT_NEAR(EffectOfPairs({{1, 2}, {1, 8}}, 0.01).half, 63.6567 * std::log(2), 1e-3);
}

TEST(EffectOfPairs, IsOfDifferencesWhereAValueIsZero) {
  const Effect effect = EffectOfPairs({{0, 4}, {4, 8}});
  EXPECT_EQ(effect.Change(), 2);  // 4 of 2
  EXPECT_EQ(effect.half, 0);
  EXPECT_EQ(EffectOfPairs({{0, 0}, {0, 0}}).Change(), 0);
  EXPECT_EQ(EffectOfPairs({{0, 3}}).Change(), 3);
}

// The number of seeds is the smallest that decides: one seed less leaves the verdict open.
TEST(SeedsToDecide, AreTheFewest) {
  std::mt19937 chance(1);
  std::uniform_real_distribution<double> change(-0.3, 0.3), width(0.02, 0.6);
  std::uniform_int_distribution<size_t> count(2, 40);
  int tried = 0;
  for (int i = 0; i < 500; ++i) {
    const double c = change(chance), half = width(chance), error = i % 3 == 0 ? 0.01 : 0.05;
    const size_t seeds = count(chance);
    const bool logarithm = i % 2 == 1;
    if (VerdictOf({c, half, logarithm}, 0.03) != Verdict::undecided) continue;
    const auto found = SeedsToDecide({c, half, logarithm}, seeds, 0.03, error);
    if (!found) continue;
    ++tried;
    const double spread = half / StudentT(seeds - 1, error) * std::sqrt(static_cast<double>(seeds));
    const auto with = [&](size_t n) {
      return VerdictOf({c, StudentT(n - 1, error) * spread / std::sqrt(static_cast<double>(n)), logarithm},
                       0.03);
    };
    EXPECT_NE(with(*found), Verdict::undecided);
    EXPECT_EQ(with(*found - 1), Verdict::undecided);
    // Of given numbers, the first that is large enough.
    EXPECT_EQ(SeedsToDecide({c, half, logarithm}, seeds, 0.03, error, {1, *found - 1, *found + 7, 20'000}),
              *found + 7);
    EXPECT_FALSE(SeedsToDecide({c, half, logarithm}, seeds, 0.03, error, {1, *found - 1}));
  }
  EXPECT_GT(tried, 200);
}

TEST(SeedsToDecide, AreNoneWhereTheChangeIsTheResolution) {
  EXPECT_FALSE(SeedsToDecide({0.0, 1e3}, 5, 0.03));
}

TEST(UndecidedText, CountsSeeds) {
  EXPECT_EQ(UndecidedText(1), "undecided: 1 more seed would decide");
  EXPECT_EQ(UndecidedText(12), "undecided: 12 more seeds would decide");
  EXPECT_EQ(UndecidedText({}), "undecided");
  EXPECT_EQ(NoDifferenceText(0.03), "no difference larger than 3 %");
}

TEST(MedianOfPairs, is_certain_of_a_change_that_all_pairs_have_whatever_an_outlier_does) {
  std::vector<std::pair<double, double>> pairs;
  for (int seed = 0; seed < 24; ++seed) pairs.emplace_back(100, 80 + seed % 3);
  pairs.back() = {10'000, 100};  // one seed in which the tail is another one
  const auto found = MedianOfPairs(pairs, 0.002);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->change, -0.19, 0.011);
  EXPECT_LT(found->high, -0.17);
  EXPECT_GT(found->low, -0.21);
  // The mean of the logarithms lies far from the 23 other seeds.
  EXPECT_LT(EffectOfPairs(pairs, 0.002).Low(), -0.5);
}

TEST(MedianOfPairs, needs_pairs_enough_for_the_level) {
  // All n pairs lie on one side of the median with probability 2 · 2^-n: 1/16 for 5, 1/32 for 6.
  std::vector<std::pair<double, double>> pairs(5, {100, 50});
  EXPECT_FALSE(MedianOfPairs(pairs, 0.05));
  pairs.emplace_back(100, 60);
  const auto found = MedianOfPairs(pairs, 0.05);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->low, -0.5);
  EXPECT_DOUBLE_EQ(found->high, -0.4);
}

}  // namespace
}  // namespace headroom

#include "report/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace headroom::statistics_test {
namespace {

TEST(JainIndex, KnownValues) {
  EXPECT_DOUBLE_EQ(*JainIndex(std::vector<double>{7, 7, 7}), 1.0);
  EXPECT_DOUBLE_EQ(*JainIndex(std::vector<double>{4, 0, 0, 0}), 0.25);
  // (1+2+3)² / (3 × (1+4+9)) = 36/42
  EXPECT_DOUBLE_EQ(*JainIndex(std::vector<double>{1, 2, 3}), 36.0 / 42.0);
}

TEST(JainIndex, OfNothingIsNothing) {
  EXPECT_FALSE(JainIndex({}));
  EXPECT_FALSE(JainIndex(std::vector<double>{0, 0}));
}

TEST(IntervalOfMean, TwoValues) {
  // Values 10 and 12: s = √2, s/√2 = 1, t(0.975; 1) = 12.7062.
  const MeanInterval m = IntervalOfMean(std::vector<double>{10, 12});
  EXPECT_DOUBLE_EQ(m.mean, 11);
  EXPECT_NEAR(*m.half_width, 12.7062, 1e-4);
  EXPECT_EQ(m.n, 2u);
}

TEST(StudentT, IsThatOfThePrintedTable) {
  const std::pair<size_t, double> rows[] = {{1, 12.706}, {4, 2.776}, {9, 2.262}, {30, 2.042}, {120, 1.980}};
  for (const auto& [degrees, t] : rows) EXPECT_NEAR(StudentT(degrees), t, 1e-3);
  EXPECT_NEAR(StudentT(9, 0.01), 3.250, 1e-3);
}

TEST(TellsNothing, BeyondTheValue) {
  EXPECT_TRUE(TellsNothing(-2, 2.1));
  EXPECT_FALSE(TellsNothing(-2, 2));
  EXPECT_FALSE(TellsNothing(0, 1));
}

TEST(IntervalOfMean, FiveValues) {
  // Values 1 … 5: s² = 2.5, s/√5 = 0.70711, t(0.975; 4) = 2.77645; the product is 1.96324.
  const MeanInterval m = IntervalOfMean(std::vector<double>{5, 1, 4, 2, 3});
  EXPECT_DOUBLE_EQ(m.mean, 3);
  EXPECT_NEAR(*m.half_width, 1.96324, 1e-5);
}

TEST(IntervalOfMean, OneValueHasNoInterval) {
  const MeanInterval m = IntervalOfMean(std::vector<double>{3});
  EXPECT_EQ(m.mean, 3);
  EXPECT_FALSE(m.half_width);
}

TEST(IntervalOfMean, EqualValuesHaveWidthZero) {
  EXPECT_EQ(*IntervalOfMean(std::vector<double>{2, 2, 2}).half_width, 0);
}

}  // namespace
}  // namespace headroom::statistics_test

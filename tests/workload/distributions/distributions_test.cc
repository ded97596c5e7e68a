#include "workload/distributions/distributions.h"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::distributions_test {
namespace {

TEST(FindDistribution, HasTheFourPublishedOnes) {
  EXPECT_EQ(DistributionNames(),
            (std::vector<std::string>{"AliStorage2019", "WebSearch", "FbHdp", "GoogleRPC2008"}));
  EXPECT_EQ(FindDistribution("AliStorage2019")->points.size(), 9u);
  EXPECT_EQ(FindDistribution("WebSearch")->points.size(), 12u);
  EXPECT_EQ(FindDistribution("FbHdp")->points.size(), 20u);
  EXPECT_EQ(FindDistribution("GoogleRPC2008")->points.size(), 843u);
  EXPECT_EQ(FindDistribution("websearch"), nullptr);
}

TEST(FindDistribution, PointsAscendToOne) {
  for (const std::string& name : DistributionNames()) {
    const auto d = FindDistribution(name);
    EXPECT_FALSE(d->source.empty());
    for (size_t i = 1; i < d->points.size(); ++i) {
      EXPECT_LT(d->points[i - 1].bytes, d->points[i].bytes);
      EXPECT_LE(d->points[i - 1].cumulative, d->points[i].cumulative);
    }
    EXPECT_EQ(d->points.back().cumulative, 1.0);
  }
}

TEST(MeanBytes, IsTheAreaUnderThePoints) {
  // A mass of 1/4 is at 100, then 3/4 evenly from 100 to 300: 25 + 0.75 · 200.
  const SizeDistribution d{"", "", {{100, 0.25}, {300, 1.0}}};
  EXPECT_DOUBLE_EQ(MeanBytes(d), 175);
  // Ten segments, summed by hand: 750 + 750 + 2500 + 4000 + 8450 + 9800 + 60 000 + 150 000 + 350 000 + 525
  // 000 + 600 000.
  EXPECT_NEAR(MeanBytes(*FindDistribution("WebSearch")), 1'711'250, 1e-6);
}

TEST(SampleSize, InterpolatesRoundsAndIsNeverNothing) {
  const SizeDistribution d{"", "", {{0, 0.0}, {10, 0.5}, {10, 0.75}, {20, 0.75}, {40, 1.0}}};
  EXPECT_EQ(SampleSize(d, 0.0), Bytes(1));
  EXPECT_EQ(SampleSize(d, 0.25), Bytes(5));
  EXPECT_EQ(SampleSize(d, 0.13), Bytes(3));  // 2.6
  EXPECT_EQ(SampleSize(d, 0.6), Bytes(10));  // a mass at 10
  EXPECT_EQ(SampleSize(d, 0.875), Bytes(30));
  EXPECT_EQ(SampleSize(d, 1.0), Bytes(40));
}

TEST(SampleSize, MassAtTheFirstPoint) {
  const SizeDistribution d{"", "", {{64, 0.4}, {1064, 1.0}}};
  EXPECT_EQ(SampleSize(d, 0.0), Bytes(64));
  EXPECT_EQ(SampleSize(d, 0.4), Bytes(64));
  EXPECT_EQ(SampleSize(d, 0.7), Bytes(564));
  const SizeDistribution constant{"", "", {{64, 1.0}}};
  EXPECT_EQ(SampleSize(constant, 0.99), Bytes(64));
  EXPECT_DOUBLE_EQ(MeanBytes(constant), 64);
}

TEST(SampleSize, EvenDrawsHaveTheMean) {
  for (const std::string& name : DistributionNames()) {
    const auto d = FindDistribution(name);
    double sum = 0;
    constexpr int kDraws = 1'000'000;
    for (int i = 0; i < kDraws; ++i) sum += static_cast<double>(SampleSize(*d, (i + 0.5) / kDraws).v);
    EXPECT_NEAR(sum / kDraws / MeanBytes(*d), 1.0, 1e-4) << name;
  }
}

TEST(MeanPieces, OfUniformSizes) {
  // Sizes are uniform up to 4 steps: a quarter each has 1, 2, 3 and 4 pieces.
  SizeDistribution uniform;
  uniform.points = {{0, 0}, {4'096, 1}};
  EXPECT_DOUBLE_EQ(MeanPieces(uniform, 1'024), 2.5);
  // Sizes are uniform from 1 to 2.5 steps: two thirds have 2 pieces, one third 3.
  uniform.points = {{1'000, 0}, {2'500, 1}};
  EXPECT_DOUBLE_EQ(MeanPieces(uniform, 1'000), 2.0 * 2 / 3 + 3.0 / 3);
}

TEST(MeanPieces, OfFixedSizesAndTheEmptyMessage) {
  SizeDistribution sizes;
  // A quarter has 0 B, a quarter exactly two steps, and half one byte more.
  sizes.points = {{0, 0.25}, {2'048, 0.25}, {2'048, 0.5}, {2'049, 0.5}, {2'049, 1}};
  EXPECT_DOUBLE_EQ(MeanPieces(sizes, 1'024), 0.25 * 1 + 0.25 * 2 + 0.5 * 3);
}

TEST(MeanPieces, AgreesWithSampling) {
  const auto sizes = FindDistribution("AliStorage2019");
  ASSERT_NE(sizes, nullptr);
  double sum = 0;
  constexpr int kSamples = 200'000;
  for (int i = 0; i < kSamples; ++i) {
    const double bytes = static_cast<double>(SampleSize(*sizes, (i + 0.5) / kSamples).v);
    sum += std::max(1.0, std::ceil(bytes / 1'024));
  }
  EXPECT_NEAR(MeanPieces(*sizes, 1'024), sum / kSamples, 0.002 * sum / kSamples);
}

}  // namespace
}  // namespace headroom::distributions_test

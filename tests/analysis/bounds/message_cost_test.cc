#include "analysis/bounds/message_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "workload/distributions.h"

namespace headroom::message_cost_test {
namespace {

TEST(MeanPieces, OfUniformSizes) {
  // Uniform up to 4 steps: a quarter each of 1, 2, 3 and 4 pieces.
  SizeDistribution uniform;
  uniform.points = {{0, 0}, {4'096, 1}};
  EXPECT_DOUBLE_EQ(MeanPieces(uniform, 1'024), 2.5);
  // Uniform from 1 to 2.5 steps: two thirds 2, one third 3.
  uniform.points = {{1'000, 0}, {2'500, 1}};
  EXPECT_DOUBLE_EQ(MeanPieces(uniform, 1'000), 2.0 * 2 / 3 + 3.0 / 3);
}

TEST(MeanPieces, OfFixedSizesAndTheEmptyMessage) {
  SizeDistribution sizes;
  // A quarter of 0 B, a quarter of exactly two steps, half of one byte more.
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

TEST(CostOfMessages, CountsHeadersGapsAndAcks) {
  WorkloadParameters workload;
  PermutationArrivals permutation;
  permutation.size = Bytes(10'000);
  workload.arrivals = permutation;
  const MessageCost cost = CostOfMessages(workload, 1'024, 4, FrameFormat());
  EXPECT_DOUBLE_EQ(cost.packets, 10);
  EXPECT_DOUBLE_EQ(cost.acks, 3);  // for the 4th, the 8th and the last
  EXPECT_DOUBLE_EQ(cost.data_wire, 10'000 + 10 * (62 + 20) + 16);
  EXPECT_DOUBLE_EQ(cost.ack_wire, 3 * (66 + 20));
}

}  // namespace
}  // namespace headroom::message_cost_test

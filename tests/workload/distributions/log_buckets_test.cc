#include "workload/distributions/log_buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

namespace headroom::log_buckets_test {
namespace {

/// Distributions from narrow to very wide, each with a seed.
std::vector<std::vector<int64_t>> Samples() {
  std::vector<std::vector<int64_t>> all;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    const double scale = std::pow(2.0, 60 * uniform(random)), shape = 0.2 + 3 * uniform(random);
    const std::function<double()> draws[] = {
        [&] { return uniform(random) * scale; }, [&] { return -std::log1p(-uniform(random)) * scale / 50; },
        [&] { return std::pow(1 - uniform(random), -1 / shape) * scale / 1e6; },
        [&] { return std::exp2(60 * uniform(random)); },
        [&] { return std::floor(3 * uniform(random)) * scale / 3; }};
    std::vector<int64_t>& sample = all.emplace_back(1 + random() % 3000);
    for (int64_t& v : sample) v = static_cast<int64_t>(std::min(draws[seed % std::size(draws)](), 4e18));
  }
  return all;
}

LogBuckets BucketsOf(const std::vector<int64_t>& values) {
  LogBuckets b;
  for (const int64_t v : values) b.Add(v);
  return b;
}

TEST(LogBuckets, quantiles_of_any_distribution_are_within_a_thousandth) {
  for (std::vector<int64_t> values : Samples()) {
    const LogBuckets b = BucketsOf(values);
    std::ranges::sort(values);
    for (int permille = 1; permille <= 1000; permille += permille < 900 ? 17 : 1) {
      const size_t rank = (values.size() * static_cast<size_t>(permille) + 999) / 1000;
      const auto exact = static_cast<double>(values[rank - 1]);
      const auto found = static_cast<double>(b.Quantile(permille));
      ASSERT_LE(std::abs(found - exact), LogBuckets::kError * exact) << permille << " of " << values.size();
    }
    EXPECT_EQ(b.least(), values.front());
    EXPECT_EQ(b.greatest(), values.back());
    double sum = 0;
    for (const int64_t v : values) sum += static_cast<double>(v);
    const double mean = sum / static_cast<double>(values.size());
    EXPECT_NEAR(b.Mean(), mean, 1e-12 * mean);
  }
  EXPECT_LE(LogBuckets::kError, 1e-3);
}

TEST(LogBuckets, do_not_depend_on_the_order_of_values_and_merges) {
  std::mt19937_64 random(7);
  for (std::vector<int64_t> values : Samples()) {
    const LogBuckets whole = BucketsOf(values);
    std::ranges::shuffle(values, random);
    std::vector<LogBuckets> pieces(5);
    for (const int64_t v : values) pieces[random() % pieces.size()].Add(v);
    std::ranges::shuffle(pieces, random);
    LogBuckets merged;
    for (const LogBuckets& piece : pieces) merged.Merge(piece);
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_EQ(merged.Mean(), whole.Mean());
    for (int permille = 1; permille <= 1000; permille += 37)
      ASSERT_EQ(merged.Quantile(permille), whole.Quantile(permille));
  }
}

TEST(LogBuckets, small_values_are_exact) {
  LogBuckets b;
  for (int64_t v = 0; v < 2048; ++v) b.Add(v);
  for (uint64_t rank = 1; rank <= 2048; ++rank) ASSERT_EQ(b.AtRank(rank), static_cast<int64_t>(rank) - 1);
}

TEST(LogBuckets, buckets_rise_with_values_up_to_the_largest) {
  uint32_t last = 0;
  for (int64_t v = 1; v < INT64_MAX / 2; v += v / 700 + 1) {
    ASSERT_GE(LogBuckets::BucketOf(v), last);
    last = LogBuckets::BucketOf(v);
  }
  EXPECT_LE(8.0 * (LogBuckets::BucketOf(INT64_MAX) + 1), LogBuckets::kMostBytes);
}

}  // namespace
}  // namespace headroom::log_buckets_test

#include "report/percentiles.h"

#include <gtest/gtest.h>

namespace headroom::percentiles_test {
namespace {

std::vector<Observed> OneTo(int n) {
  std::vector<Observed> v;
  for (int i = n; i >= 1; --i) v.push_back({static_cast<double>(i), false});
  SortObserved(v);
  return v;
}

TEST(NearestRank, FiveValues) {
  // The textbook example 15 20 35 40 50: the 30th percentile has rank ceil(0.3 × 5) = 2, the 40th rank 2, the
  // 50th rank 3.
  std::vector<Observed> v = {{35, false}, {20, false}, {15, false}, {50, false}, {40, false}};
  SortObserved(v);
  EXPECT_EQ(NearestRank(v, 50)->value, 15);
  EXPECT_EQ(NearestRank(v, 300)->value, 20);
  EXPECT_EQ(NearestRank(v, 400)->value, 20);
  EXPECT_EQ(NearestRank(v, 500)->value, 35);
  EXPECT_EQ(NearestRank(v, 1000)->value, 50);
}

TEST(NearestRank, ExactRanksDoNotRoundUp) {
  // 0.999 × 1000 is 999 exactly. In floating point the product may be slightly larger and give rank 1000.
  EXPECT_EQ(NearestRank(OneTo(1000), 999)->value, 999);
  EXPECT_EQ(NearestRank(OneTo(100), 990)->value, 99);
  EXPECT_EQ(NearestRank(OneTo(101), 990)->value, 100);
  EXPECT_EQ(NearestRank(OneTo(1), 999)->value, 1);
}

TEST(NearestRank, OfNothingIsNothing) {
  EXPECT_FALSE(NearestRank({}, 500));
  EXPECT_FALSE(Mean({}));
}

TEST(DescribeDistribution, UnfinishedMessagesTakePartAndCensorWhatRestsOnThem) {
  // Values are 1, 2, 3, 9, of which 9 is an age: p50 has rank 2, p90 and higher rank 4.
  const auto d = DescribeDistribution({{9, true}, {1, false}, {3, false}, {2, false}});
  EXPECT_EQ(d["mean"], 3.75);
  EXPECT_EQ(d["p50"], 2.0);
  EXPECT_EQ(d["p90"], 9.0);
  EXPECT_EQ(d["max"], 9.0);
  EXPECT_FALSE(d["censored"].contains("p50"));
  for (const char* statistic : {"mean", "p90", "p95", "p99", "p999", "max"}) {
    EXPECT_EQ(d["censored"].value(statistic, false), true) << statistic;
  }
}

TEST(DescribeDistribution, OfEqualValuesTheUnfinishedIsTheLarger) {
  const auto d = DescribeDistribution({{5, true}, {5, false}});
  EXPECT_FALSE(d["censored"].contains("p50"));
  EXPECT_TRUE(d["censored"].contains("max"));
}

TEST(DescribeDistribution, AnUnfinishedMessageCensorsEveryRankFromItsAgeOn) {
  // One age of 1 stands among times 2, 3, 4. The unfinished message may get any larger time, and shifts every
  // rank below it.
  const auto d = DescribeDistribution({{1, true}, {2, false}, {3, false}, {4, false}});
  for (const char* statistic : {"mean", "p50", "p90", "p99", "max"}) {
    EXPECT_EQ(d["censored"].value(statistic, false), true) << statistic;
  }
}

TEST(DescribeDistribution, NothingIsNull) {
  const auto d = DescribeDistribution({});
  for (const char* statistic : {"mean", "p50", "p90", "p95", "p99", "p999", "max"}) {
    EXPECT_TRUE(d[statistic].is_null()) << statistic;
  }
  EXPECT_TRUE(d["censored"].empty());
}

}  // namespace
}  // namespace headroom::percentiles_test

#include "nic/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace headroom::latency_histogram_test {
namespace {

TEST(LatencyHistogram, SmallSpansAndASingleOneAreExact) {
  LatencyHistogram small;
  for (int64_t ps = 0; ps < 256; ++ps) small.Add(Time(ps));
  // Rank ceil(256 × 0.5) = 128 of 0 … 255 is 127; rank ceil(256 × 0.99) = 254 is 253.
  EXPECT_EQ(small.Quantile(500), Time(127));
  EXPECT_EQ(small.Quantile(990), Time(253));
  LatencyHistogram one;
  one.Add(Picoseconds(1'234'567'891));
  EXPECT_EQ(one.Quantile(500), Picoseconds(1'234'567'891));
}

TEST(LatencyHistogram, QuantilesAreWithinA256thOfTheSpanAtTheirRank) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> spans(18, 4);  // values from nanoseconds to hours
  std::vector<int64_t> sorted;
  LatencyHistogram h;
  for (int i = 0; i < 20'000; ++i) {
    const auto ps = static_cast<int64_t>(spans(random)) * (i % 5 == 0 ? -1 : 1);
    sorted.push_back(ps);
    h.Add(Time(ps));
  }
  std::sort(sorted.begin(), sorted.end());
  for (int permille = 1; permille <= 1000; ++permille) {
    const auto exact = static_cast<double>(sorted[static_cast<size_t>(20 * permille - 1)]);
    const auto estimate = static_cast<double>(h.Quantile(permille).v);
    EXPECT_LE(std::abs(estimate - exact), std::abs(exact) / 256) << permille;
  }
  EXPECT_EQ(h.least(), Time(sorted.front()));
  EXPECT_EQ(h.greatest(), Time(sorted.back()));
}

TEST(LatencyHistogram, MergedIsAsIfAllHadBeenAdded) {
  LatencyHistogram a, b, all;
  for (int64_t i = 1; i <= 1000; ++i) {
    const Time span = Nanoseconds(i * i);
    (i % 3 == 0 ? a : b).Add(span);
    all.Add(span);
  }
  a.Merge(b);
  EXPECT_EQ(a.count(), 1000u);
  for (const int permille : {1, 500, 990, 999, 1000}) EXPECT_EQ(a.Quantile(permille), all.Quantile(permille));
}

}  // namespace
}  // namespace headroom::latency_histogram_test

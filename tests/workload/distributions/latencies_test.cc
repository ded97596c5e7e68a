#include "workload/distributions/latencies.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace headroom::latencies_test {
namespace {

/// Values from 1 µs to 20 µs, all different.
Time Nth(int64_t i) { return Microseconds(1) + Time((i * 7919 % 19'000'000)); }

TEST(Latencies, are_exact_up_to_what_is_kept) {
  Latencies l;
  l.KeepAtMost(3);
  for (int i = 0; i < 3; ++i) l.Add(Nth(i));
  ASSERT_TRUE(l.exact());
  EXPECT_EQ(l.each(), (std::vector<Time>{Nth(0), Nth(1), Nth(2)}));
  l.Add(Nth(3));
  EXPECT_FALSE(l.exact());
  EXPECT_EQ(l.count(), 4u);
}

TEST(Latencies, quantiles_are_within_the_error) {
  Latencies l;
  l.KeepAtMost(100);
  std::vector<Time> sorted;
  for (int i = 0; i < 100'000; ++i) {
    l.Add(Nth(i));
    sorted.push_back(Nth(i));
  }
  std::ranges::sort(sorted);
  for (const int permille : {1, 500, 900, 950, 990, 999}) {
    const auto exact =
        static_cast<double>(sorted[sorted.size() * static_cast<size_t>(permille) / 1000 - 1].v);
    EXPECT_NEAR(static_cast<double>(l.buckets().Quantile(permille)), exact, exact * Latencies::kError);
  }
  EXPECT_EQ(l.buckets().greatest(), sorted.back().v);
}

TEST(Latencies, merge_exact_and_counted_ones) {
  for (const uint64_t keeps : {1u, 100u}) {
    for (const uint64_t other_keeps : {1u, 100u}) {
      Latencies a, b;
      a.KeepAtMost(keeps);
      b.KeepAtMost(other_keeps);
      for (int i = 0; i < 10; ++i) a.Add(Nth(i));
      for (int i = 10; i < 30; ++i) b.Add(Nth(i));
      a.Merge(b);
      EXPECT_EQ(a.count(), 30u);
      EXPECT_EQ(a.exact(), keeps == 100 && other_keeps == 100);
      EXPECT_EQ(a.buckets().count(), a.exact() ? 0u : 30u);
    }
  }
}

}  // namespace
}  // namespace headroom::latencies_test

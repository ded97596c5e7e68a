// Counts of similar values: quantiles with a small relative error, for any number of values, in memory that
// does not grow with their number.
//
// Each power of two has 1024 buckets (sim/log_linear.h). A quantile is the middle of its bucket, at most
// 1/2048 (0.05 %) from the value at that rank. Below 2048 it is exact, and so are the sum, the minimum and
// the maximum. All arithmetic is on integers, so the result depends neither on the order of values or merges
// nor on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// With `results: stream`, values of a distribution beyond this number go to buckets: up to it they are
/// exact, and take 16 B each, 4 MiB in all.
inline constexpr size_t kExactValues = size_t{1} << 18;

class LogBuckets {
 public:
  /// The largest relative error of a quantile.
  static constexpr double kError = 1.0 / 2048;
  /// The most memory of an object: 53 octaves of 64-bit counters.
  static constexpr double kMostBytes = 54.0 * 1024 * sizeof(uint64_t);

  /// REQUIRES: value >= 0.
  void Add(int64_t value);
  void Merge(const LogBuckets& other);
  uint64_t count() const { return count_; }
  int64_t least() const { return least_; }
  int64_t greatest() const { return greatest_; }
  /// The arithmetic mean, from the exact sum. REQUIRES: count() > 0.
  double Mean() const;
  /// The quantile by nearest rank: number `rank` of the sorted values, from 1. REQUIRES: 1 <= rank <=
  /// count().
  int64_t AtRank(uint64_t rank) const;
  /// Number ceil(count × permille / 1000). REQUIRES: count() > 0, 0 < permille <= 1000.
  int64_t Quantile(int permille) const {
    return AtRank((count_ * static_cast<uint64_t>(permille) + 999) / 1000);
  }

  /// The bucket of a value; larger values have larger numbers. REQUIRES: value >= 0.
  static uint32_t BucketOf(int64_t value);
  /// The bucket of number `rank` of the sorted values. REQUIRES: as AtRank.
  uint32_t BucketAtRank(uint64_t rank) const;
  template <class P>
  void Pack(P& pack) {
    pack(counts_, count_, sum_, least_, greatest_);
  }

 private:
  std::vector<uint64_t> counts_;  ///< by bucket, up to the largest in use
  uint64_t count_ = 0;
  Uint128 sum_ = 0;
  int64_t least_ = INT64_MAX, greatest_ = 0;
};

}  // namespace headroom

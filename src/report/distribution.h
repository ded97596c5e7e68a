// The distribution of a time or a ratio over messages, some of which have not finished (percentiles.h).
//
// Up to a number of values it is exact. Beyond that, values are counted in buckets: percentiles then have an
// error of at most 1/2048, and mean and maximum stay exact.
#pragma once

#include <vector>

#include "report/percentiles.h"
#include "workload/distributions/log_buckets.h"

namespace headroom {

class Distribution {
 public:
  /// `exact`: the number of values up to which it is exact; SIZE_MAX: always. `units`: buckets count the
  /// value times this, as an integer.
  Distribution(size_t exact, double units) : most_(exact), units_(units) {}

  /// REQUIRES: the value is not negative.
  void Add(Observed value);
  /// As DescribeDistribution. If the exact values are bounded, also `error`: the relative error of
  /// percentiles, 0 or that of LogBuckets. Call it once.
  nlohmann::ordered_json Describe();

 private:
  void Count(const Observed& value);
  nlohmann::ordered_json DescribeBuckets() const;

  size_t most_;
  double units_;
  std::vector<Observed> each_;  ///< empty if values are in buckets
  LogBuckets buckets_;
  int64_t least_censored_ = INT64_MAX;
};

}  // namespace headroom

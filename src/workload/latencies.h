// Times of operations, stored individually. If their number has no limit, the first ones are stored
// individually, and later ones as counts of similar times, in memory that no longer grows.
#pragma once

#include <cstdint>
#include <vector>

#include "nic/latency_histogram.h"
#include "sim/units.h"

namespace headroom {

class Latencies {
 public:
  /// The error of a quantile once latencies are no longer exact (latency_histogram.h).
  static constexpr double kError = 1.0 / 256;

  /// Stores at most `exact` times individually.
  void KeepAtMost(uint64_t exact) { most_ = exact; }
  void Add(Time latency);
  void Merge(const Latencies& other);

  uint64_t count() const { return exact() ? each_.size() : histogram_.count(); }
  bool exact() const { return histogram_.count() == 0; }
  /// The times in the order of arrival. REQUIRES: exact().
  const std::vector<Time>& each() const { return each_; }
  /// REQUIRES: !exact().
  const LatencyHistogram& histogram() const { return histogram_; }
  double sum_us() const;

 private:
  void Fold();
  uint64_t most_ = UINT64_MAX;
  std::vector<Time> each_;
  LatencyHistogram histogram_;
  double folded_us_ = 0;  ///< sum of the values in the histogram
};

}  // namespace headroom

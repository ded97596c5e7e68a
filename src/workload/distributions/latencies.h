// Times of operations, stored individually. If their number has no limit, the first latencies are stored
// individually, and later latencies as counts of similar times, so that memory stops growing.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/units.h"
#include "workload/distributions/log_buckets.h"

namespace headroom {

class Latencies {
 public:
  /// The error of a quantile once latencies are no longer exact.
  static constexpr double kError = LogBuckets::kError;

  /// Stores at most `exact` times individually.
  void KeepAtMost(uint64_t exact) {
    most_ = exact;
    if (each_.size() > most_) Fold();
  }
  void Add(Time latency);
  void Merge(const Latencies& other);

  uint64_t count() const { return exact() ? each_.size() : buckets_.count(); }
  bool exact() const { return buckets_.count() == 0; }
  /// The times in the order of arrival. REQUIRES: exact().
  const std::vector<Time>& each() const { return each_; }
  /// REQUIRES: !exact().
  const LogBuckets& buckets() const { return buckets_; }  ///< in ps
  template <class P>
  void Pack(P& pack) {
    pack(most_, each_, buckets_);
  }

 private:
  void Fold();
  uint64_t most_ = UINT64_MAX;
  std::vector<Time> each_;
  LogBuckets buckets_;
};

}  // namespace headroom

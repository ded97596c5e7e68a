// A histogram of times with buckets that widen with the time: quantiles with a bounded relative error, for
// any times, in little memory.
//
// Each power of two has 128 buckets (sim/log_linear.h). A quantile is the middle of its bucket, at most 1/256
// (0.4 %) from the time at that rank. Below 256 ps it is exact, and so are the minimum and the maximum. Times
// may be negative: two clocks may put the end before the beginning.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/units.h"

namespace headroom {

class LatencyHistogram {
 public:
  void Add(Time span);
  void Merge(const LatencyHistogram& other);
  uint64_t count() const { return count_; }
  Time least() const { return least_; }
  Time greatest() const { return greatest_; }
  /// The quantile by nearest rank: number ceil(count × permille / 1000) of the sorted times. REQUIRES:
  /// count() > 0, 0 < permille <= 1000.
  Time Quantile(int permille) const;
  template <class P>
  void Pack(P& pack) {
    pack(buckets_, count_, least_, greatest_);
  }

 private:
  struct Bucket {
    int32_t number = 0;  ///< buckets of negative times count down from −1
    uint64_t count = 0;
  };
  void Add(int32_t number, uint64_t count);
  std::vector<Bucket> buckets_;  ///< ordered by number, none empty
  uint64_t count_ = 0;
  Time least_ = kNever, greatest_ = kNever * -1;
};

}  // namespace headroom

#include "nic/latency_histogram.h"

#include <algorithm>
#include <cstdlib>

#include "sim/log_linear.h"

namespace headroom {
namespace {

using Buckets = LogLinear<128>;

int32_t NumberOf(int64_t span) {
  const auto number = static_cast<int32_t>(Buckets::BucketOf(static_cast<uint64_t>(std::abs(span))));
  return span < 0 ? -number : number;
}

/// The middle of a bucket.
int64_t MiddleOf(int32_t number) {
  const int64_t middle = Buckets::MiddleOf(static_cast<uint32_t>(std::abs(number)));
  return number < 0 ? -middle : middle;
}

}  // namespace

void LatencyHistogram::Add(int32_t number, uint64_t count) {
  const auto at = std::lower_bound(buckets_.begin(), buckets_.end(), number,
                                   [](const Bucket& b, int32_t n) { return b.number < n; });
  if (at != buckets_.end() && at->number == number) {
    at->count += count;
  } else {
    buckets_.insert(at, {number, count});
  }
}

void LatencyHistogram::Add(Time span) {
  Add(NumberOf(span.v), 1);
  ++count_;
  least_ = std::min(least_, span);
  greatest_ = std::max(greatest_, span);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (const Bucket& b : other.buckets_) Add(b.number, b.count);
  count_ += other.count_;
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
}

Time LatencyHistogram::Quantile(int permille) const {
  const uint64_t rank = (count_ * static_cast<uint64_t>(permille) + 999) / 1000;
  uint64_t seen = 0;
  for (const Bucket& b : buckets_) {
    seen += b.count;
    if (seen >= rank) return std::clamp(Time(MiddleOf(b.number)), least_, greatest_);
  }
  return greatest_;
}

}  // namespace headroom

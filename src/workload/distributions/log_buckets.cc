#include "workload/distributions/log_buckets.h"

#include <algorithm>

#include "sim/log_linear.h"

namespace headroom {
using Buckets = LogLinear<1024>;

uint32_t LogBuckets::BucketOf(int64_t value) { return Buckets::BucketOf(static_cast<uint64_t>(value)); }

void LogBuckets::Add(int64_t value) {
  const uint32_t bucket = BucketOf(value);
  if (bucket >= counts_.size()) counts_.resize(bucket + 1);
  ++counts_[bucket];
  ++count_;
  sum_ += static_cast<uint64_t>(value);
  least_ = std::min(least_, value);
  greatest_ = std::max(greatest_, value);
}

void LogBuckets::Merge(const LogBuckets& other) {
  counts_.resize(std::max(counts_.size(), other.counts_.size()));
  for (size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
}

double LogBuckets::Mean() const {
  const Uint128 whole = sum_ / count_, rest = sum_ % count_;
  return static_cast<double>(static_cast<uint64_t>(whole)) +
         static_cast<double>(static_cast<uint64_t>(rest)) / static_cast<double>(count_);
}

uint32_t LogBuckets::BucketAtRank(uint64_t rank) const {
  uint64_t seen = 0;
  uint32_t bucket = 0;
  while ((seen += counts_[bucket]) < rank) ++bucket;
  return bucket;
}

int64_t LogBuckets::AtRank(uint64_t rank) const {
  return std::clamp(Buckets::MiddleOf(BucketAtRank(rank)), least_, greatest_);
}

}  // namespace headroom

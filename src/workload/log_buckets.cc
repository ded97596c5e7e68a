#include "workload/log_buckets.h"

#include <algorithm>
#include <bit>

namespace headroom {
namespace {

constexpr uint32_t kPerOctave = 1024;
constexpr int kBits = 11;  // number of bits of the numbers 1024 to 2047

int64_t MiddleOf(uint32_t bucket) {
  const uint32_t shift = bucket < 2 * kPerOctave ? 0 : bucket / kPerOctave - 1;
  const int64_t from = static_cast<int64_t>(bucket - shift * kPerOctave) << shift;
  return from + ((int64_t{1} << shift) >> 1);
}

}  // namespace

uint32_t LogBuckets::BucketOf(int64_t value) {
  const auto v = static_cast<uint64_t>(value);
  const auto shift = static_cast<uint32_t>(std::max(0, static_cast<int>(std::bit_width(v)) - kBits));
  return shift * kPerOctave + static_cast<uint32_t>(v >> shift);
}

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
  return std::clamp(MiddleOf(BucketAtRank(rank)), least_, greatest_);
}

}  // namespace headroom

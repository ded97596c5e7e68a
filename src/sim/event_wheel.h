// Events of the near future, in any order: a ring of buckets of a few nanoseconds each, after Brown's
// calendar queue (CACM 31(10), 1988). Only the first bucket with events is sorted. New events of that bucket
// go to their places, and the next bucket is sorted when it becomes the first. Memory grows to the largest
// number of events at the same time.
//
// All its events lie within kSpan of now, so no two events one revolution apart share a bucket. Later events
// use a heap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "sim/event.h"

namespace headroom {

class EventWheel {
 public:
  /// Width of a bucket, as the binary logarithm of picoseconds: 4.1 ns. With a thousand busy links of 100
  /// Gb/s, a bucket has about ten events at most, and the end of a transmission of 2 KiB at 10 Gb/s is within
  /// the span.
  static constexpr int kWidth = 12;
  static constexpr uint64_t kBuckets = 512;
  static constexpr int64_t kSpan = (kBuckets - 1) << kWidth;
  static constexpr uint32_t kLongestWalk = 32;  ///< about the cost of the heap

  EventWheel() { buckets_.fill(kNone); }

  bool Empty() const { return sorted_.empty(); }
  /// REQUIRES: the wheel is not empty.
  const TimedEvent& Top() const { return sorted_.back(); }

  /// Returns false if, in the first bucket, the event would have to pass too many others; it is then not in
  /// the wheel. REQUIRES: all events in the wheel are at `now` or later, and e is within kSpan of that.
  bool Push(const TimedEvent& e) {
    const uint64_t at = static_cast<uint64_t>(e.time.v) >> kWidth;
    if (Empty()) {
      first_ = at;
    } else if (at > first_) {
      Link(at, e);
      return true;
    } else if (at < first_) {
      for (const TimedEvent& later : sorted_) Link(first_, later);
      sorted_.clear();
      first_ = at;
    }
    size_t i = sorted_.size();
    if (i > kLongestWalk && KeyOf(sorted_[i - 1 - kLongestWalk]) < KeyOf(e)) return false;
    sorted_.push_back(e);
    for (; i > 0 && KeyOf(sorted_[i - 1]) < KeyOf(e); --i) sorted_[i] = sorted_[i - 1];
    sorted_[i] = e;
    return true;
  }

  void Pop() {
    sorted_.pop_back();
    if (sorted_.empty() && linked_ > 0) Advance();
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    TimedEvent event;
    uint32_t next;
  };

  void Link(uint64_t at, const TimedEvent& e) {
    const uint64_t bucket = at % kBuckets;
    uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({e, buckets_[bucket]});
    } else {
      free_ = nodes_[node].next;
      nodes_[node] = {e, buckets_[bucket]};
    }
    buckets_[bucket] = node;
    used_[bucket / 64] |= uint64_t{1} << (bucket % 64);
    ++linked_;
  }
  /// Moves to the next bucket that has events. REQUIRES: there is such a bucket.
  void Advance() {
    const uint64_t from = first_ % kBuckets;
    uint64_t word = from / 64;
    // Searches the bits from `from` on, then the following words, around to the first again.
    uint64_t bits = used_[word] & (~uint64_t{0} << (from % 64));
    while (bits == 0) bits = used_[word = (word + 1) % used_.size()];
    const uint64_t bucket = word * 64 + static_cast<uint64_t>(std::countr_zero(bits));
    first_ += (bucket - from) % kBuckets;
    used_[word] &= ~(uint64_t{1} << (bucket % 64));
    for (uint32_t node = std::exchange(buckets_[bucket], kNone); node != kNone;) {
      sorted_.push_back(nodes_[node].event);
      --linked_;
      const uint32_t next = nodes_[node].next;
      nodes_[node].next = std::exchange(free_, node);
      node = next;
    }
    std::ranges::sort(sorted_, [](const TimedEvent& a, const TimedEvent& b) { return KeyOf(b) < KeyOf(a); });
  }

  std::vector<TimedEvent> sorted_;              ///< events of the first bucket that has any, in reverse order
  uint64_t first_ = 0;                          ///< number of that bucket, counted from time 0
  std::array<uint64_t, kBuckets / 64> used_{};  ///< which of the other buckets have events
  std::array<uint32_t, kBuckets> buckets_;      ///< the last node of each bucket
  std::vector<Node> nodes_;
  uint32_t free_ = kNone;
  size_t linked_ = 0;  ///< number of nodes in buckets
};

}  // namespace headroom

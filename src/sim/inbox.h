// Events that a part of a network receives from other parts (sim/parts.h). They arrive in any order, and are
// taken out window by window, in order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/event.h"

namespace headroom {

class Inbox {
 public:
  void Push(const TimedEvent& e) {
    events_.push_back(e);
    first_ = std::min(first_, KeyOf(e));
  }
  /// The smallest key; `kNothing` if the inbox is empty.
  TimedKey first() const { return first_; }
  static constexpr TimedKey kNothing{UINT64_MAX, INT64_MAX};
  /// The greatest key; {0, 0} if the inbox is empty. Looks at all events.
  TimedKey Last() const {
    TimedKey last{0, 0};
    for (const TimedEvent& e : events_) last = std::max(last, KeyOf(e));
    return last;
  }

  /// Memory to sort in. All inboxes share one table, so the table stays in the CPU's cache.
  struct Table {
    std::vector<TimedEvent> taken;
    std::vector<uint32_t> ends;  ///< ends of the buckets in `taken`
  };
  /// Removes the events before `end`, and calls take(event) for each in the order of their keys.
  template <class Take>
  void TakeBefore(TimedKey end, Table& table, const Take& take) {
    if (!(first_ < end)) return;
    Scatter(end, table);
    auto& [taken, ends] = table;
    for (size_t b = 0, from = 0; b < ends.size(); from = ends[b++]) {
      const auto first = taken.begin() + from, last = taken.begin() + ends[b];
      std::sort(first, last, [](const TimedEvent& x, const TimedEvent& y) { return KeyOf(x) < KeyOf(y); });
    }
    for (const TimedEvent& e : taken) take(e);
  }

 private:
  static int Bits(uint64_t n) { return static_cast<int>(std::bit_width(n)); }
  /// Moves the events before `end` into buckets of equal spans. If the events are evenly spaced, each bucket
  /// has one or two.
  void Scatter(TimedKey end, Table& table) {
    auto& [taken, ends] = table;
    const int64_t from = first_.time;
    const auto span = static_cast<uint64_t>(end.time - from);
    const int width = std::max(0, Bits(span) - Bits(events_.size()));
    const auto bucket = [&](const TimedEvent& e) { return static_cast<uint64_t>(e.time.v - from) >> width; };
    ends.assign((span >> width) + 2, 0);
    for (const TimedEvent& e : events_) {
      if (KeyOf(e) < end) ++ends[bucket(e) + 1];
    }
    for (size_t b = 1; b < ends.size(); ++b) ends[b] += ends[b - 1];
    taken.resize(ends.back());
    size_t kept = 0;
    first_ = kNothing;
    for (const TimedEvent& e : events_) {
      if (KeyOf(e) < end) {
        taken[ends[bucket(e)]++] = e;
      } else {
        first_ = std::min(first_, KeyOf(e));
        events_[kept++] = e;
      }
    }
    events_.resize(kept);
  }

  std::vector<TimedEvent> events_;
  TimedKey first_ = kNothing;
};

}  // namespace headroom

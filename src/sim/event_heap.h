// A 4-ary min-heap of events beyond the wheel's span, if their delay is not a constant of the network.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/event.h"

namespace headroom {

class EventHeap {
 public:
  bool Empty() const { return events_.empty(); }
  const TimedEvent& Top() const { return events_.front(); }

  void Push(const TimedEvent& e) {
    size_t i = events_.size();
    events_.push_back(e);
    while (i > 0) {
      const size_t parent = (i - 1) / 4;
      if (!(KeyOf(e) < KeyOf(events_[parent]))) break;
      events_[i] = events_[parent];
      i = parent;
    }
    events_[i] = e;
  }

  void Pop() {
    const TimedEvent last = events_.back();
    events_.pop_back();
    if (events_.empty()) return;
    const size_t n = events_.size();
    size_t i = 0;
    for (;;) {
      const size_t first = 4 * i + 1;
      if (first >= n) break;
      size_t best = first;
      for (size_t c = first + 1; c < std::min(first + 4, n); ++c) {
        if (KeyOf(events_[c]) < KeyOf(events_[best])) best = c;
      }
      if (!(KeyOf(events_[best]) < KeyOf(last))) break;
      events_[i] = events_[best];
      i = best;
    }
    events_[i] = last;
  }

 private:
  std::vector<TimedEvent> events_;
};

}  // namespace headroom

// The times at which something was stopped: a port's queue by pauses, or the queue of a limiter. They give
// the stopped part of a wait.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/units.h"

namespace headroom {

class StoppedSpans {
 public:
  void Begin(Time now) {
    if (!Open()) spans_.push_back({now, kNever});
  }
  void End(Time now) {
    if (Open()) spans_.back().end = now;
  }
  /// The stopped time between `from` and `to`. REQUIRES: from <= to <= now.
  Time Within(Time from, Time to) const {
    Time sum;
    for (size_t i = spans_.size(); i-- > 0 && spans_[i].end > from;) {
      const Time begin = std::max(from, spans_[i].begin), end = std::min(to, spans_[i].end);
      if (end > begin) sum += end - begin;
    }
    return sum;
  }

 private:
  struct Span {
    Time begin, end;
  };
  bool Open() const { return !spans_.empty() && spans_.back().end == kNever; }

  std::vector<Span> spans_;
};

}  // namespace headroom

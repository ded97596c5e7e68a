// When a queue of a port was paused, so that one can ask how much of a wait that was.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/units.h"

namespace headroom {

class PausedSpans {
 public:
  void Begin(Time now) {
    if (!open_) spans_.push_back({now, kNever});
    open_ = true;
  }
  void End(Time now) {
    if (open_) spans_.back().end = now;
    open_ = false;
  }
  /// How long it was paused between these. REQUIRES: from <= to <= now.
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
  std::vector<Span> spans_;
  bool open_ = false;
};

}  // namespace headroom

// The span of a run in which a workload's operations a second are counted.
#pragma once

#include <algorithm>

#include "sim/units.h"

namespace headroom {

/// I/Os a second are of those that end after `from` and no later than `until`, whenever they began: while a
/// closed loop is at work, and neither while it begins nor while what is left ends. Of a job of fio the ramp
/// counts from its first I/O, and one that ends by itself is over with its last.
struct IoSpan {
  Time from, until;
  Time ramp;          ///< from the first I/O on
  bool ends = false;  ///< by itself
  bool Counts(Time ended) const { return ended > from && ended <= until; }
  /// Its first I/O begins.
  void Begin(Time first) { from = std::max(from, first + ramp); }
  /// Of a run that ended at `end`, whose first I/O began at `first` and whose last ended at `last`.
  Time Length(Time first, Time last, Time end) const {
    const Time over = std::min(until, ends ? std::min(last, end) : end);
    return std::max(over - std::max(from, first), Time(0));
  }
};

}  // namespace headroom

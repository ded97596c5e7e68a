// The span of a run over which a workload's operations per second are counted.
#pragma once

#include <algorithm>

#include "sim/units.h"

namespace headroom {

/// I/Os per second count I/Os that end after `from` and not later than `until`, whenever they began. A closed
/// loop is then in full operation: neither its start nor its last I/Os count. A fio job's ramp counts from
/// its first I/O; a job that ends by itself is over with its last.
struct IoSpan {
  Time from, until;
  Time ramp;          ///< measured from the first I/O
  bool ends = false;  ///< the job ends by itself
  bool Counts(Time ended) const { return ended > from && ended <= until; }
  /// Its first I/O begins.
  void Begin(Time first) { from = std::max(from, first + ramp); }
  /// The part of a time that lies in the span.
  Time Within(Time since, Time to) const {
    return std::max(std::min(to, until) - std::max(since, from), Time(0));
  }
  /// The length of the span in a run until `end`, with the first I/O begun at `first` and the last one ended
  /// at `last`.
  Time Length(Time first, Time last, Time end) const {
    const Time over = std::min(until, ends ? std::min(last, end) : end);
    return std::max(over - std::max(from, first), Time(0));
  }
};

}  // namespace headroom

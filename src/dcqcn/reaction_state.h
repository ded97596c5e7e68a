// The rate of one queue pair, as reaction points keep it.
#pragma once

#include "sim/units.h"

namespace headroom {

struct RpState {
  Rate line;                 ///< what it starts at and returns to
  Rate current;              ///< RC
  Rate target;               ///< RT
  double alpha = 1.0;        ///< machine vendor: a whole number of 1/1024
  Time alpha_base;           ///< the last instant up to which alpha's timer ticks are accounted for
  Time last_cut = Time(-1);  ///< −1: none yet
  Time increase_due = kNever;
  // Machines hpcc and vendor.
  Time decrease_due = kNever;  ///< next check that will find a flag
  Time first_flag = Time(-1);  ///< the timers run from here; −1: none yet
  bool alpha_flag = false;     ///< a flag came since the last alpha tick
  int time_stage = 0;
  int byte_stage = 0;
  int64_t bytes = 0;  ///< since the byte counter's last event

  bool AtLineRate() const { return current == line && target == line; }
  Time NextTimer() const { return increase_due < decrease_due ? increase_due : decrease_due; }
};

/// Result of a notification. ignored: it fell into the reduction window; noted: a timer will act on it.
enum class RpReaction { cut, ignored, noted };

}  // namespace headroom

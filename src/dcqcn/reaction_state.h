// The rate of one queue pair, as reaction points keep it.
#pragma once

#include "sim/units.h"

namespace headroom {

struct RpState {
  Rate line;                 ///< the rate at which it starts and to which it returns
  Rate current;              ///< RC
  Rate target;               ///< RT
  double alpha = 1.0;        ///< machine vendor: a whole number of 1/1024
  Time alpha_base;           ///< alpha's timer ticks are applied up to this instant
  Time last_cut = Time(-1);  ///< −1: none yet
  Time increase_due = kNever;
  // Machines hpcc and vendor.
  Time decrease_due = kNever;  ///< time of the next check that will find a flag
  Time first_flag = Time(-1);  ///< the timers count from here; −1: none yet
  bool alpha_flag = false;     ///< a flag came since the last alpha tick
  int time_stage = 0;
  int byte_stage = 0;
  int64_t bytes = 0;  ///< bytes since the byte counter's last event

  bool AtLineRate() const { return current == line && target == line; }
  Time NextTimer() const { return increase_due < decrease_due ? increase_due : decrease_due; }
};

/// Result of a notification. ignored: it arrived in the reduction window; noted: a timer will act on it.
enum class RpReaction { cut, ignored, noted };

}  // namespace headroom

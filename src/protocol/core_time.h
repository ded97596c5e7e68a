// The account of a core's work that threads (core_thread.h) keep: when it works, and how long it has worked.
#pragma once

#include <algorithm>

#include "protocol/core_costs.h"

namespace headroom {

class CoreTime {
 public:
  /// Use leaves out work before `from`.
  explicit CoreTime(Time from = Time(0)) : from_(from) {}

  /// Work begins at `at` and takes `cost`. REQUIRES: at >= until().
  void Begin(Time at, Time cost, CoreWork work = CoreWork::operation) {
    busy_[static_cast<size_t>(work_)] += Counted(until_);
    worked_ += until_ - begun_;
    begun_ = at;
    until_ = at + cost;
    work_ = work;
  }
  /// The same if the end is not known yet: EndAt sets it.
  void BeginOpen(Time at) {
    Begin(at, Time(0));
    until_ = kNever;
  }
  void EndAt(Time until) { until_ = until; }

  /// The time when the core is free. Before its first work: an instant before time zero.
  Time until() const { return until_; }
  /// The start of its last work, and the work's kind.
  Time begun() const { return begun_; }
  CoreWork work() const { return work_; }

  /// The time that it has worked until `now`, and the time observed.
  CoreUse Use(Time now) const {
    CoreUse use{busy_, std::max(now - from_, Time(0))};
    use.busy_for[static_cast<size_t>(work_)] += Counted(std::min(until_, now));
    return use;
  }
  /// The time that it has worked until `now`, counted from the beginning.
  Time Worked(Time now) const { return worked_ + std::max(std::min(until_, now) - begun_, Time(0)); }

 private:
  Time Counted(Time until) const { return std::max(until - std::max(begun_, from_), Time(0)); }

  Time from_;
  Time begun_{-1}, until_{-1};  ///< for the last work
  CoreWork work_ = CoreWork::operation;
  CoreTimes busy_{};  ///< for earlier work
  Time worked_;       ///< the same, counted from the beginning
};

}  // namespace headroom

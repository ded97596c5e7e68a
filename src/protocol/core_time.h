// When a core works, and how long it has worked: the account that threads (core_thread.h) keep of their core.
#pragma once

#include <algorithm>

#include "protocol/core_costs.h"

namespace headroom {

class CoreTime {
 public:
  /// Use leaves out what is before `from`.
  explicit CoreTime(Time from = Time(0)) : from_(from) {}

  /// Work begins at `at`, for so long. REQUIRES: at >= until().
  void Begin(Time at, Time cost, CoreWork work = CoreWork::operation) {
    busy_[static_cast<size_t>(work_)] += Counted(until_);
    worked_ += until_ - begun_;
    begun_ = at;
    until_ = at + cost;
    work_ = work;
  }
  /// The same where the end is not known yet: EndAt says it.
  void BeginOpen(Time at) {
    Begin(at, Time(0));
    until_ = kNever;
  }
  void EndAt(Time until) { until_ = until; }

  /// When the core is free. Before its first work: an instant before time zero.
  Time until() const { return until_; }
  /// When its last work began, and what it is for.
  Time begun() const { return begun_; }
  CoreWork work() const { return work_; }

  /// How long it has worked until `now`, and of how long.
  CoreUse Use(Time now) const {
    CoreUse use{busy_, std::max(now - from_, Time(0))};
    use.busy_for[static_cast<size_t>(work_)] += Counted(std::min(until_, now));
    return use;
  }
  /// How long it has worked until `now`, from the beginning on.
  Time Worked(Time now) const { return worked_ + std::max(std::min(until_, now) - begun_, Time(0)); }

 private:
  Time Counted(Time until) const { return std::max(until - std::max(begun_, from_), Time(0)); }

  Time from_;
  Time begun_{-1}, until_{-1};  ///< of the last work
  CoreWork work_ = CoreWork::operation;
  CoreTimes busy_{};  ///< of the work before
  Time worked_;       ///< the same, from the beginning on
};

}  // namespace headroom

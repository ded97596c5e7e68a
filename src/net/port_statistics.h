// Counts of a port's rare events, by priority or queue. Bytes are frames with FCS; counts run from the start
// of the run.
#pragma once

#include <array>
#include <cstdint>

#include "net/port_counters.h"
#include "net/traffic_class.h"
#include "sim/lazy.h"
#include "sim/units.h"

namespace headroom {

/// Most ports never mark, drop or pause: they take no memory.
class PortStatistics {
 public:
  void CountMark(int queue);
  void CountDrop(DropReason reason, int priority, uint32_t bytes);
  void CountCorruptPfc(uint8_t priorities);
  void CountPfcSent(uint8_t xoff, uint8_t xon);
  void CountPfcReceived(uint8_t priorities);

  PriorityDrops drops(int priority) const { return (*drops_)[priority]; }
  uint64_t marked(int queue) const { return seldom_->marked[queue]; }
  /// kNever if there was no mark yet.
  Time first_mark(int queue) const { return seldom_->first_mark[queue]; }
  Time first_drop(int priority) const { return seldom_->first_drop[priority].at; }
  DropReason first_drop_reason(int priority) const { return seldom_->first_drop[priority].reason; }
  /// PFC frames sent that paused, or resumed, this priority; refreshes included. One frame may pause or
  /// resume several priorities.
  uint64_t pause_frames(int priority) const { return seldom_->pause_frames[priority]; }
  uint64_t resume_frames(int priority) const { return seldom_->resume_frames[priority]; }
  /// PFC frames received that paused or resumed this priority.
  uint64_t pfc_frames_received(int priority) const { return seldom_->pfc_frames_received[priority]; }

 private:
  struct Seldom {
    struct FirstDrop {
      Time at = kNever;
      DropReason reason = DropReason::buffer_full;
    };
    Seldom() { first_mark.fill(kNever); }
    std::array<uint64_t, kPriorities> marked{};
    std::array<Time, kPriorities> first_mark;
    std::array<FirstDrop, kPriorities> first_drop;
    std::array<uint64_t, kPriorities> pause_frames{}, resume_frames{}, pfc_frames_received{};
  };
  void NoteFirstDrop(int priority, DropReason reason);

  Lazy<std::array<PriorityDrops, kPriorities>> drops_;
  Lazy<Seldom> seldom_;
};

}  // namespace headroom

// The PFC watchdog of one queue: a machine that reads counters at each poll, and reports when a storm begins
// and ends.
//
// Everything is rounded to polls. The vendors differ in their condition for a storm poll; SONiC runs one
// script per vendor. Any other poll restarts the countdown of `detection`. `restoration` counts down over
// polls without a PFC frame.
//
// Source: sonic-swss, orchagent/pfc_detect_*.lua and pfc_restore.lua. Tests contain golden traces of the
// scripts for broadcom, mellanox and vs. The rules for cisco and teralynx come from reading alone.
#pragma once

#include <cstdint>
#include <optional>

#include "pfc/parameters.h"

namespace headroom {

/// The values of a queue and its port that a poll reads. Counters run from the start of the run.
struct WatchdogReading {
  uint64_t pfc_frames = 0;     ///< received frames that name this priority, resumes included
  uint64_t on_to_off = 0;      ///< number of pauses that ended
  bool paused = false;         ///< the peer requests a pause now
  int64_t occupancy = 0;       ///< bytes in the queue
  uint64_t tx_packets = 0;     ///< packets sent from the queue
  Time pause_duration;         ///< total time under received pauses
  std::optional<Time> waited;  ///< measured time since the last poll; none: the nominal time
};

class WatchdogMachine {
 public:
  enum class Event : uint8_t { none, storm, restore };

  /// One poll. With action alert, `storm` repeats while a storm lasts.
  Event Poll(const WatchdogParameters& parameters, const WatchdogReading& reading);
  bool stormed() const { return stormed_; }
  /// Resets the machine, because the port was down.
  void Reset() { *this = {}; }

 private:
  /// Whether this poll saw a storm; none: it has no earlier values to compare with.
  std::optional<bool> StormPoll(const WatchdogParameters& parameters, const WatchdogReading& now) const;
  Event Detect(const WatchdogParameters& parameters, const WatchdogReading& now);
  Event Restore(const WatchdogParameters& parameters, const WatchdogReading& now);

  bool stormed_ = false;
  std::optional<Time> detection_left_, restoration_left_;
  // Values read at an earlier poll. Detection and restoration share the first value.
  std::optional<uint64_t> pfc_frames_;
  std::optional<Time> pause_duration_;
  struct Seen {
    uint64_t on_to_off = 0, tx_packets = 0;
    bool paused = false;
  };
  std::optional<Seen> seen_;
};

}  // namespace headroom

// The PFC watchdog of one queue: a machine that reads counters at each poll, and reports when a storm begins
// and ends.
//
// Everything is rounded to polls. The vendors differ in what makes a poll a storm poll; SONiC runs one script
// each. Any other poll starts the countdown of `detection` again, and `restoration` counts down over polls in
// which no PFC frame came.
//
// Source: sonic-swss, orchagent/pfc_detect_*.lua and pfc_restore.lua; golden traces of the scripts for
// broadcom, mellanox and vs are tests. The rules for cisco and teralynx are from reading alone.
#pragma once

#include <cstdint>
#include <optional>

#include "pfc/parameters.h"

namespace headroom {

/// What a poll reads of a queue and its port. Counters run from the start of the run.
struct WatchdogReading {
  uint64_t pfc_frames = 0;     ///< received that name this priority, resumes included
  uint64_t on_to_off = 0;      ///< pauses that ended
  bool paused = false;         ///< the peer asks for a pause now
  int64_t occupancy = 0;       ///< bytes in the queue
  uint64_t tx_packets = 0;     ///< of the queue
  Time pause_duration;         ///< under pauses received, all together
  std::optional<Time> waited;  ///< since the last poll, as measured; none: the nominal time
};

class WatchdogMachine {
 public:
  enum class Event : uint8_t { none, storm, restore };

  /// One poll. `storm` comes again and again while a storm lasts where the action is alert.
  Event Poll(const WatchdogParameters& parameters, const WatchdogReading& reading);
  bool stormed() const { return stormed_; }
  /// As new: the port was down.
  void Reset() { *this = {}; }

 private:
  /// Whether this poll saw a storm; none: it has nothing to compare with.
  std::optional<bool> StormPoll(const WatchdogParameters& parameters, const WatchdogReading& now) const;
  Event Detect(const WatchdogParameters& parameters, const WatchdogReading& now);
  Event Restore(const WatchdogParameters& parameters, const WatchdogReading& now);

  bool stormed_ = false;
  std::optional<Time> detection_left_, restoration_left_;
  // Read at an earlier poll. Detection and restoration share the first.
  std::optional<uint64_t> pfc_frames_;
  std::optional<Time> pause_duration_;
  struct Seen {
    uint64_t on_to_off = 0, tx_packets = 0;
    bool paused = false;
  };
  std::optional<Seen> seen_;
};

}  // namespace headroom

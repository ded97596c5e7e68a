// A port that pauses its peer regardless of its buffer: broken hardware, or a frame generator in a test of
// the watchdog.
#pragma once

#include "net/port.h"
#include "pfc/pause_sender.h"
#include "pfc/pause_storm_parameters.h"

namespace headroom {

class PauseStorm final : public EventTarget {
 public:
  /// `sender` pauses for the same port at other times. Both must outlive this object. `entity`: entity of the
  /// fault.
  PauseStorm(const PauseStormParameters& parameters, Port* port, PauseSender* sender, EntityId entity);
  void Start();
  void Stop();

  void OnEvent(uint64_t arg) override;

 private:
  void Send();
  void Note(PauseChange::Kind kind);

  PauseStormParameters parameters_;
  Port* port_;
  PauseSender* sender_;
  EntityId entity_;
  Time interval_;
  uint8_t named_;  ///< the priorities that the frames name
  bool pauses_;    ///< whether the frames pause these
  bool running_ = false;
  Time next_ = kNever;  ///< time of the only valid pending event
};

}  // namespace headroom

// A port that pauses its peer regardless of its buffer: broken hardware, or a frame generator in a test of
// the watchdog.
#pragma once

#include "net/port.h"
#include "pfc/pause_sender.h"

namespace headroom {

struct PauseStormParameters {
  /// Kind of frames: pauses of the named priorities; PAUSE of IEEE 802.3 annex 31B, which names no priority;
  /// PFC frames without class-enable bits.
  enum class Frames : uint8_t { pfc, global, disabled };
  uint8_t priorities = 0;  ///< mask
  Frames frames = Frames::pfc;
  uint16_t quanta = 65535;  ///< 0: the frames resume the peer
  std::optional<Time>
      interval;     ///< interval between frames; none: half of the pause time, so that no pause expires
  bool xon = true;  ///< the peer is resumed at the end; otherwise its pause expires
  bool operator==(const PauseStormParameters&) const = default;
};

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

// A port that pauses its peer whatever its buffer holds: broken hardware, or a generator of frames that a
// test of the watchdog sets up.
#pragma once

#include "net/port.h"
#include "pfc/pause_sender.h"

namespace headroom {

struct PauseStormParameters {
  /// Kind of frames: pauses of the named priorities; PAUSE of IEEE 802.3 annex 31B, which names none; PFC
  /// frames without class-enable bits.
  enum class Frames : uint8_t { pfc, global, disabled };
  uint8_t priorities = 0;  ///< mask
  Frames frames = Frames::pfc;
  uint16_t quanta = 65535;       ///< 0: the frames resume
  std::optional<Time> interval;  ///< between frames; none: half of the pause time, so that none runs out
  bool xon = true;               ///< at the end the peer is resumed; else its pause runs out
  bool operator==(const PauseStormParameters&) const = default;
};

class PauseStorm final : public EventTarget {
 public:
  /// `sender` speaks for the same port at other times. Both outlive this. `entity` is of the fault.
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
  bool pauses_;    ///< they pause these
  bool running_ = false;
  Time next_ = kNever;  ///< the pending event that counts
};

}  // namespace headroom

// What a port sends that pauses its peer regardless of its buffer.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/units.h"

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

}  // namespace headroom

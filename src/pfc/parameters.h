// Parameters of priority flow control. Source: IEEE 802.1Qbb.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/units.h"

namespace headroom {

struct PfcParameters {
  bool enabled = true;
  Time response;            ///< from the last bit of a pause frame to its effect at the receiver of the pause
  uint16_t quanta = 65535;  ///< pause time asked for, in units of 512 bit times of the port
  std::optional<Time>
      refresh;  ///< pause frames repeat after this while the group stays XOFF; none: half the pause time
  bool operator==(const PfcParameters&) const = default;
};

/// One quantum on a port of this rate: 512 bit times (IEEE 802.1Qbb, 36.1.3.2), rounded up.
constexpr Time QuantaTime(uint16_t quanta, Rate rate) { return SerializationTime(Bytes(64) * quanta, rate); }

}  // namespace headroom

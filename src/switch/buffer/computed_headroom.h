// Headroom for speeds and cable lengths that a published table omits.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// Headroom of a lossless group at a port with this speed and cable (5 ns per metre). It covers a jumbo frame
/// of 9216 B ahead of the pause, and the usual response time of the speed (UsualPauseResponse). Data frames
/// have up to 4096 B of payload, or are so small that the buffer stores `expansion_percent` of the bytes on
/// the wire.
Bytes ComputedXoff(Rate speed, int64_t cable_m, int expansion_percent);

}  // namespace headroom

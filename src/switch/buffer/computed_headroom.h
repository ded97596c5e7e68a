// Headroom of speeds and cable lengths that a published table leaves out.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// Headroom of a lossless group at a port of this speed behind this much cable (5 ns a metre). It covers a
/// jumbo frame of 9216 B ahead of the pause, and the usual response time of the speed (UsualPauseResponse).
/// Data frames have up to 4096 B payload, or are so small that the buffer stores `expansion_percent` of the
/// bytes on the wire.
Bytes ComputedXoff(Rate speed, int64_t cable_m, int expansion_percent);

}  // namespace headroom

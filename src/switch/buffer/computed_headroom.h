// Headroom of speeds and cable lengths that a published table leaves out.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// What a lossless group needs at a port of this speed behind this much cable (5 ns a metre): a jumbo frame
/// of 9216 B in the way of the pause, the usual response time of the speed (UsualPauseResponse), and data
/// frames of up to 4096 B payload or so small that the buffer stores `expansion_percent` of what the wire
/// carries.
Bytes ComputedXoff(Rate speed, int64_t cable_m, int expansion_percent);

}  // namespace headroom

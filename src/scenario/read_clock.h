// The key `clock` of a NIC.
#pragma once

#include <string>

#include "nic/clock.h"
#include "scenario/reader.h"

namespace headroom {

ClockParameters ReadClock(const Node& node, Errors& errors);

/// As it stands in a file: {offset: -5us, drift: 20ppm, sync: 10ms}.
std::string WriteClock(const ClockParameters& clock);

}  // namespace headroom

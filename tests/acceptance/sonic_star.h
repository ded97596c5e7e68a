// A switch of a whole SONiC configuration with hosts around it.
#pragma once

#include <string>

#include "scenario/scenario.h"

namespace headroom {

/// Four hosts at the first four ports of a file of tests/sonic/data, two with 40 and two with 100 Gb/s.
/// Lossless classes have priority 3 and 4. There is no congestion control, and retransmission is after a
/// second.
Scenario SonicStar(const std::string& file);

}  // namespace headroom

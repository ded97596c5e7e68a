// A switch with an entire SONiC configuration, and hosts around it.
#pragma once

#include <string>

#include "scenario/scenario.h"

namespace headroom {

/// Four hosts are at the first four ports of a file of tests/sonic/data, two with 40 and two with 100 Gb/s.
/// Lossless classes have priorities 3 and 4. There is no congestion control; retransmission takes place after
/// a second.
Scenario SonicStar(const std::string& file);

}  // namespace headroom

// Estimates how long lossless queues stall. Messages wait for these queues, and messages and pauses have
// records.
#pragma once

#include "scenario/scenario.h"

namespace headroom {

/// Share of the arrival time, 0 to 1, in which queues stall. Bursts that fill a switch stall its queues while
/// they drain at the line rate of their receiver. An open loop stalls them permanently if it exceeds a rack's
/// links or a receiver's line rate and nothing slows it down. With congestion control, half of that time
/// counts.
double PausedShareOf(const Scenario& scenario);

}  // namespace headroom

// How long lossless queues stall, and with them the messages that wait for them, and the records of messages
// and pauses.
#pragma once

#include "scenario/scenario.h"

namespace headroom {

/// Share of the arrival time, 0 to 1, in which queues stall. Bursts that fill a switch stall them while they
/// drain by the line of their receiver. An open loop stalls them always if it exceeds a rack's links or a
/// receiver's line and nothing slows it down. Half of it counts with congestion control.
double PausedShareOf(const Scenario& scenario);

}  // namespace headroom

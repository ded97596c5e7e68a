// How long lossless queues stand still, and with them all that waits for them: messages, and what is noted of
// them and of pauses.
#pragma once

#include "scenario/scenario.h"

namespace headroom {

/// For which part of the time arrivals last, 0 to 1: while bursts that fill a switch drain by the line of
/// their receiver, or always, where an open loop asks for more than a rack's links or a receiver's line carry
/// and nothing slows it down; half of it counts where congestion control does.
double PausedShareOf(const Scenario& scenario);

}  // namespace headroom

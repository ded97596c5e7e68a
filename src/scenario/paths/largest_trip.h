// Round-trip times and bandwidth-delay products of a whole network, as the HPCC simulator computes them
// (scratch/third.cc): the values that its GLOBAL_T uses for all flows.
#pragma once

#include "congestion/control.h"
#include "scenario/scenario.h"

namespace headroom {

/// The largest over all pairs of hosts. A round trip is the delays of both directions and the transmissions
/// of a full payload without headers in one direction. The product uses the rate of the slowest link on the
/// path. Among equal paths the first found counts.
LargestTrip LargestTripOf(const Scenario& scenario);
/// Whether some NIC's control uses it.
bool WantsLargestTrip(const Scenario& scenario);

}  // namespace headroom

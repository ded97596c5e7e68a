// Round-trip times and bandwidth-delay products of a whole network, as the HPCC simulator counts them
// (scratch/third.cc): what its GLOBAL_T takes for all flows.
#pragma once

#include "congestion/control.h"
#include "scenario/scenario.h"

namespace headroom {

/// The largest of all pairs of hosts. A round trip is both ways' delays and one way's transmissions of a full
/// payload without headers. Its product is with the slowest link on the way. Of equal paths that counts which
/// is found first.
LargestTrip LargestTripOf(const Scenario& scenario);
/// Whether some NIC's control asks for it.
bool WantsLargestTrip(const Scenario& scenario);

}  // namespace headroom

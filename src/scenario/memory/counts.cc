#include "scenario/memory/counts.h"

#include <algorithm>

#include "scenario/expected_traffic.h"

namespace headroom {

Forecast OpenOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count,
                double paused_share) {
  if (const auto open = workload.arrivals->Open(workload, scenario, count)) return *open;
  // Without a window, new messages wait behind earlier messages: all messages wait if none ever ends. If
  // queues stall, half of the requests made meanwhile leave when the burst is over.
  constexpr double kWaiting = 0.1, kHeldUp = 0.6;
  return {std::max(kWaiting, kHeldUp * paused_share) * count.expected, count.worst};
}

Forecast PacketsOf(const WorkloadParameters& workload, const Scenario& scenario, const Forecast& count) {
  const double messages = workload.arrivals->Expected(scenario);
  const double each = messages > 0 ? ExpectedPackets(workload, scenario) / messages : 1;
  return each * count;
}

}  // namespace headroom

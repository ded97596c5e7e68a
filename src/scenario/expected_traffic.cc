#include "scenario/expected_traffic.h"

#include <algorithm>
#include <cmath>

namespace headroom {

double ExpectedPackets(const WorkloadParameters& workload, const Scenario& scenario) {
  const Arrivals& arrivals = *workload.arrivals;
  const double each = std::ceil(arrivals.MeanBytes() / static_cast<double>(scenario.mtu));
  return arrivals.Expected(scenario) * std::max(each, 1.0) * arrivals.Legs(scenario);
}

std::vector<double> ExpectedQueuePairs(const WorkloadParameters& workload, const Scenario& scenario) {
  const Arrivals& arrivals = *workload.arrivals;
  std::vector<double> queue_pairs;
  for (const SentByHost& s : arrivals.ByHost(scenario.topology, arrivals.Expected(scenario))) {
    const double persistent = std::min(s.messages, s.peers * workload.qps_per_pair);
    queue_pairs.push_back(std::ceil(workload.qp_per_message ? s.messages : persistent));
  }
  return queue_pairs;
}

}  // namespace headroom

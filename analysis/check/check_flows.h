// The rate of each flow of a workload when all of them send at the same time, alone in the network: max-min
// fair over ECMP's paths.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

struct FlowsCheck {
  std::string workload;
  size_t flows = 0;
  size_t split =
      0;  ///< flows with packets on several paths: each flow counts on all its paths, with its share
  /// Payload in bit/s: the payload of full data frames at the fair rates. ACKs do not count.
  double least_bps = 0, median_bps = 0, most_bps = 0;
  size_t most_on_a_link = 0;   ///< maximum over the links between switches; 0 if no flow crosses one
  std::string fullest;         ///< "dc0-c0-r0-t0:p4"
  double total_bps = 0;        ///< total of all flows
  double slowest_seconds = 0;  ///< duration of the slowest flow at its rate; 0 for streams
};

/// Empty for a workload that offers messages at a rate, or has more than 20,000 flows, or too many for the
/// number of links: `too_many` names workloads with too many flows.
struct FlowsChecks {
  std::vector<FlowsCheck> workloads;
  std::vector<std::string> too_many;
};

FlowsChecks CheckFlows(const Fabric& fabric, Findings& findings);

}  // namespace headroom

// The rate of each flow of a workload when all of them send at once, alone in the network: max-min fair over
// the paths that ECMP gives them.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

struct FlowsCheck {
  std::string workload;
  size_t flows = 0;
  size_t split = 0;  ///< flows with packets on several paths: each counts on all of them, with its share
  /// Payload, bit/s: what the data frames of full size carry at the fair rates. ACKs do not count.
  double least_bps = 0, median_bps = 0, most_bps = 0;
  size_t most_on_a_link = 0;   ///< of the links between switches; 0 if no flow crosses any
  std::string fullest;         ///< "dc0-c0-r0-t0:p4"
  double total_bps = 0;        ///< of all flows together
  double slowest_seconds = 0;  ///< the longest that a flow takes at its rate; 0 for streams
};

/// A workload that offers at a rate has none, nor has one of more than 20,000 flows, or of too many for the
/// number of links: `too_many` names those.
struct FlowsChecks {
  std::vector<FlowsCheck> workloads;
  std::vector<std::string> too_many;
};

FlowsChecks CheckFlows(const Fabric& fabric, Findings& findings);

}  // namespace headroom

// Part of memory.h: the parts of the estimate.
#pragma once

#include <vector>

#include "scenario/memory/memory.h"

namespace headroom {

/// A workload with its expected amounts.
struct Demand {
  const WorkloadParameters* workload = nullptr;
  Forecast count, open, packets;
  double paused_share = 0;  ///< PausedShareOf the scenario
};

/// Records of messages, and their queue pairs, by workload.
std::vector<MemoryPart> PartsOfMessages(const Scenario& scenario, const std::vector<Demand>& demands);
/// Operations by workload, and the services that carry them.
std::vector<MemoryPart> PartsOfServices(const Scenario& scenario, const std::vector<Demand>& demands);
/// Observations in addition to these.
std::vector<MemoryPart> PartsOfObservations(const Scenario& scenario, const std::vector<Demand>& demands);

}  // namespace headroom

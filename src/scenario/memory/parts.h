// Part of memory.h: its parts.
#pragma once

#include <vector>

#include "scenario/memory/memory.h"

namespace headroom {

/// A workload with what it amounts to.
struct Demand {
  const WorkloadParameters* workload = nullptr;
  Forecast count, open, packets;
};

/// Records of messages and their queue pairs, by workload.
std::vector<MemoryPart> PartsOfMessages(const Scenario& scenario, const std::vector<Demand>& demands);
/// Operations by workload, and what carries them by service.
std::vector<MemoryPart> PartsOfServices(const Scenario& scenario, const std::vector<Demand>& demands);
/// Observations beside them.
std::vector<MemoryPart> PartsOfObservations(const Scenario& scenario, const std::vector<Demand>& demands);

}  // namespace headroom

// summary.json: the numbers of one run under the names that users rely on.
//
// Messages that start before the end of the warm-up are in none of a workload's numbers but `warmup_offered`
// and `warmup_unfinished`; the network's counters start at the end of the warm-up by themselves.
#pragma once

#include <nlohmann/json.hpp>

#include "run/records.h"
#include "scenario/scenario.h"

namespace headroom {

/// What a run cost the machine. It goes to `run`, the only part that differs between two equal runs.
struct RunCost {
  double wall_s = 0;
  double cpu_s = 0;  ///< user and system
  double peak_rss_mb = 0;
};

/// The whole of summary.json. A metric with nothing in it is null.
nlohmann::ordered_json Summarise(const Scenario& scenario, const RunRecord& record, const RunCost& cost);

}  // namespace headroom

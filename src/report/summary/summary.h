// summary.json: the numbers of one run under the names that users rely on.
//
// Messages that start before the end of the warm-up count only in `warmup_offered` and `warmup_unfinished` of
// a workload. The network's counters start at the end of the warm-up.
#pragma once

#include <nlohmann/json.hpp>

#include "run/recording/ended_records.h"
#include "run/recording/records.h"
#include "scenario/scenario.h"

namespace headroom {

/// The machine's costs of a run. They are in `run`, the only part that differs between two equal runs.
struct RunCost {
  double wall_s = 0;
  double cpu_s = 0;  ///< user and system time
  double peak_rss_mb = 0;
  double events_cpu_s = 0;  ///< part of cpu_s: from the first event to the last
  int ranks = 1;            ///< processes that ran the network; the costs above are those of the first
  int estimate_ranks = 0;   ///< the processes of RunRecord::work
};

/// The complete summary.json. A metric without data is null. `exact`: with `results: stream`, up to this
/// number of values in a distribution its percentiles are exact.
nlohmann::ordered_json Summarise(const Scenario& scenario, const RunRecord& record, const RunCost& cost,
                                 size_t exact = kExactValues);

}  // namespace headroom

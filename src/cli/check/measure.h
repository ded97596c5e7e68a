// check --measure: what each workload reaches alone, from a short run of it.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace headroom {

/// Runs each workload of each scenario alone and without faults, in a closed loop if its type has one, and
/// prints its rate, latency and full resources. It runs a sixteenth of the scenario's duration, then a
/// quarter, then all, until enough operations or messages are counted, so the results do not depend on the
/// machine. `budget_s`: the time for all of them. A workload that is not over in its share of the rest has no
/// results. `json`: prints an object, or a list for several files. Returns 1 if some workload has no results,
/// else 0. Throws ScenarioError.
int Measure(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& sets,
            double budget_s, bool json, std::ostream& out);

}  // namespace headroom

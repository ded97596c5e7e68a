// The command `perf`: the results of perftest's programs between two hosts of a scenario, a row for each
// size.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "protocol/perftest/perf.h"
#include "scenario/scenario.h"

namespace headroom {

struct PerfOptions {
  std::string test = "ib_write_bw";
  std::string from, to;  ///< hosts
  std::string connection = "RC";
  std::optional<std::string>
      traffic_class;  ///< default: the first lossless class, else the first class without CNPs
  std::optional<int64_t> size;
  bool all = false;  ///< run all sizes 2, 4, … 2^23
  std::optional<int> iterations, cq_mod, inline_size;
  int tx_depth = 128, queue_pairs = 1;
};

struct PerfPlan {
  Scenario scenario;  ///< the scenario without its workloads
  std::string test, from, to, connection, traffic_class;
  std::vector<PerfTest> sizes;
};

/// Throws ScenarioError, or std::invalid_argument if the options contradict the scenario or each other.
PerfPlan PlanPerf(const std::filesystem::path& file, const std::vector<std::string>& sets,
                  const PerfOptions& options);

/// Measures each size in a separate process, `jobs` at once. `use` gets the results in order. Returns an
/// ExitCode; stderr has the errors.
int MeasurePerf(const PerfPlan& plan, int jobs,
                const std::function<void(const nlohmann::ordered_json&)>& use);

/// The measured test, its options, and the head of perftest's table.
std::string PerfHead(const PerfPlan& plan, bool gbits);
std::string PerfRow(const PerfPlan& plan, const nlohmann::ordered_json& row, bool gbits);
nlohmann::ordered_json PerfJson(const PerfPlan& plan, const std::vector<nlohmann::ordered_json>& rows);

}  // namespace headroom

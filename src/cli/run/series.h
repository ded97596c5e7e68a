// A scenario's series of runs: every combination of its varied values, with every seed, and the places of
// their results.
//
//   results/NAME/                         one run
//   results/NAME/seed-N/                  several seeds; results/NAME/summary.json is over all of them
//   results/NAME/KEY=VALUE[,…]/[seed-N/]  what is varied
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/run_request.h"
#include "report/metric_value.h"
#include "scenario/read/load.h"

namespace headroom {

struct SeriesOptions {
  std::vector<std::string> sets;
  std::vector<std::string> captures;
  std::optional<std::filesystem::path> out;  ///< the result directory; default: results/NAME
  std::optional<uint64_t> seed;              ///< the first seed; default: the scenario's
  std::optional<int> seeds;                  ///< the number of seeds; default: the scenario's
  int jobs = 1;
  Replacing replacing;
  int parts = 1, ranks = 1;      ///< as in RunRequest
  Exchange* exchange = nullptr;  ///< as in RunRequest
  int estimate_ranks = 0;        ///< as in RunRequest
  bool check = false;
  ProgressTo progress = ProgressTo::nobody;
  bool in_children = false;  ///< use a child even for a single run, because this process has several series
};

struct SeriesResult {
  int code = kDone;  ///< the worst ExitCode of all runs; kInterrupted if some left no result
  std::filesystem::path target;
  std::vector<RunOutcome> runs;  ///< the runs that left a result, ordered by point, then by seed
  /// For each point: the summary of its run, or the summary over its seeds.
  std::vector<std::pair<Point, nlohmann::ordered_json>> summaries;
};

/// One scenario of a command, and its place in the command's list.
struct SeriesInput {
  std::filesystem::path path;
  ScenarioFile file;
  SeriesOptions options;
};

/// The folder of a series' result.
std::filesystem::path TargetOf(const ScenarioFile& file, const SeriesOptions& options);

/// Whether a series has one seed and varies nothing.
bool IsOneRun(const SeriesInput& input);

/// Reads every combination of every series and checks the folders of their results before any run, so that a
/// mistake in the last combination costs no time. Throws the errors that reading and running would throw.
void CheckSeries(const std::vector<SeriesInput>& series);

/// Runs all runs. A single run happens in this process, several in children.
SeriesResult RunSeries(const ScenarioFile& file, const std::filesystem::path& path,
                       const SeriesOptions& options);

/// PointText as a folder name: "fan_in=8,nics.0=tuned"; empty for the empty point.
std::string PointName(const Point& point, const std::vector<Variation>& vary);

}  // namespace headroom

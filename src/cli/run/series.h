// A scenario's series of runs: every combination of what it varies, with every seed, and where their results
// go.
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
  std::optional<std::filesystem::path> out;  ///< default results/NAME
  std::optional<uint64_t> seed;              ///< the first; default the scenario's
  std::optional<int> seeds;                  ///< how many; default the scenario's
  int jobs = 1;
  Replacing replacing;
  bool check = false;
  ProgressTo progress = ProgressTo::nobody;
  bool in_children = false;  ///< even a single run: where this process has more than one series
};

struct SeriesResult {
  int code = kDone;  ///< the worst ExitCode of all runs; kInterrupted where some of them left no result
  std::filesystem::path target;
  std::vector<RunOutcome> runs;  ///< those that left a result, points in order, seeds within
  /// By point: the summary of its run, or over its seeds.
  std::vector<std::pair<Point, nlohmann::ordered_json>> summaries;
};

/// One scenario of a command, and its place among them.
struct SeriesInput {
  std::filesystem::path path;
  ScenarioFile file;
  SeriesOptions options;
};

/// Reads every combination of every series, and looks at the places for their results: a mistake in the last
/// must not cost the time of the others. Throws what reading and running them would throw.
void CheckSeries(const std::vector<SeriesInput>& series);

/// Runs them all. One run alone happens in this process, more of them in children.
SeriesResult RunSeries(const ScenarioFile& file, const std::filesystem::path& path,
                       const SeriesOptions& options);

/// PointText as the name of a folder: "fan_in=8,nics.0=tuned"; empty for the empty point.
std::string PointName(const Point& point, const std::vector<Variation>& vary);

}  // namespace headroom

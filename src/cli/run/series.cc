#include "cli/run/series.h"

#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "cli/held_signals.h"
#include "cli/progress_line.h"
#include "report/aggregate.h"
#include "report/pooled.h"
#include "report/result.h"
#include "run/capture.h"
#include "scenario/paths/cut.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

int SeedsOf(const ScenarioFile& file, const SeriesOptions& options) {
  return options.seeds.value_or(file.experiment.seeds);
}

struct Planned {
  Point point;
  RunRequest request;
};

/// The shell sees only one code: interruption outweighs bad input, which outweighs a failed expectation.
int Worse(int a, int b) { return std::max(a, b); }

std::vector<Planned> Plan(const ScenarioFile& file, const fs::path& path, const SeriesOptions& options,
                          const fs::path& root, int seeds) {
  const uint64_t first = options.seed.value_or(file.scenario.seed);
  std::vector<Planned> plan;
  for (const Point& point : Points(file.experiment)) {
    for (int i = 0; i < seeds; ++i) {
      const uint64_t seed = first + static_cast<uint64_t>(i);
      Planned p;
      p.point = point;
      p.request.name = fmt::format("{}{}{}, seed {}", file.scenario.name, point.empty() ? "" : ", ",
                                   PointText(point, file.experiment.vary), seed);
      p.request.file = path;
      p.request.sets = options.sets;
      for (const std::string& set : PointSets(point, seed)) p.request.sets.push_back(set);
      p.request.target = root;
      if (!point.empty()) p.request.target /= PointName(point, file.experiment.vary);
      if (seeds > 1) p.request.target /= fmt::format("seed-{}", seed);
      p.request.captures = options.captures;
      p.request.replacing = options.replacing;
      p.request.parts = options.parts;
      p.request.estimate_ranks = options.estimate_ranks;
      p.request.ranks = options.ranks;
      p.request.exchange = options.exchange;
      p.request.check = options.check;
      // On a terminal, simultaneous runs would overwrite each other's line.
      if (options.progress == ProgressTo::log) p.request.progress = ProgressTo::log;
      plan.push_back(std::move(p));
    }
  }
  return plan;
}

/// The file of a result's summary; {} without one.
std::pair<dev_t, ino_t> SummaryFileOf(const fs::path& target) {
  struct stat file = {};
  if (stat((target / "summary.json").c_str(), &file) != 0) return {};
  return {file.st_dev, file.st_ino};
}

/// Each point needs its own folder; otherwise one point would show the results of another.
void CheckFolders(const ScenarioFile& file, const fs::path& path) {
  const std::vector<Variation>& vary = file.experiment.vary;
  std::map<std::string, Point> of;
  for (const Point& point : Points(file.experiment)) {
    const std::string name = PointName(point, vary);
    const auto [other, fresh] = of.emplace(name, point);
    std::string wrong;
    if (!fresh)
      wrong = fmt::format("the values \"{}\" and \"{}\" would share the folder {}",
                          PointText(other->second, vary), PointText(point, vary), name);
    if (name.size() > NAME_MAX) wrong = fmt::format("the name of the folder would be too long: {}", name);
    if (!wrong.empty())
      throw std::invalid_argument(fmt::format(
          "{}: vary: {}; name the values, as in [&first VALUE, &second VALUE]", path.string(), wrong));
  }
}

uint64_t LastSeedOf(const ScenarioFile& file, const SeriesOptions& options) {
  return options.seed.value_or(file.scenario.seed) + static_cast<uint64_t>(SeedsOf(file, options)) - 1;
}

/// Seeds beyond the largest would be refused as --set seed=…, an option that the user did not write.
void CheckSeeds(const ScenarioFile& file, const fs::path& path, const SeriesOptions& options) {
  if (LastSeedOf(file, options) <= uint64_t{kLargestSeed}) return;
  throw std::invalid_argument(fmt::format(
      "{}: {} seeds from {} on exceed the largest seed, {}; give a smaller --seed or --seeds", path.string(),
      SeedsOf(file, options), options.seed.value_or(file.scenario.seed), kLargestSeed));
}

}  // namespace

fs::path TargetOf(const ScenarioFile& file, const SeriesOptions& options) {
  return options.out.value_or(fs::path("results") / file.scenario.name);
}

bool IsOneRun(const SeriesInput& input) {
  return input.file.experiment.vary.empty() && SeedsOf(input.file, input.options) == 1;
}

void CheckSeries(const std::vector<SeriesInput>& series) {
  std::map<fs::path, fs::path> taken;
  for (const auto& [path, file, options] : series) {
    const fs::path target = TargetOf(file, options);
    const auto [other, fresh] = taken.emplace(CheckTarget(target, options.replacing), path);
    if (!fresh)
      throw std::invalid_argument(fmt::format("{} and {} would both write {}; run one of them with --out DIR",
                                              other->second.string(), path.string(), target.string()));
    CheckFolders(file, path);
    CheckSeeds(file, path, options);
    CheckCaptures(options.captures, file.scenario);
    PartsFor(file.scenario, {options.parts, options.ranks, options.estimate_ranks, options.check});
  }
  for (const auto& [path, file, options] : series) {
    ProgressLine line(options.progress);
    const std::vector<Point> points = Points(file.experiment);
    const uint64_t last = LastSeedOf(file, options);
    for (size_t i = 0; i < points.size(); ++i) {
      if (points.size() == 1 && last == file.scenario.seed) continue;  // the scenario is the file as read
      line.Step(fmt::format("reading {}, {} of {}", path.string(), i + 1, points.size()));
      std::vector<std::string> sets = options.sets;
      for (const std::string& set : PointSets(points[i], last)) sets.push_back(set);
      CheckCaptures(options.captures, LoadScenario(path, sets));
    }
  }
}

std::string PointName(const Point& point, const std::vector<Variation>& vary) {
  std::string name = PointText(point, vary, ",");
  // Values are YAML and may contain characters that do not belong in a path.
  for (char& c : name) {
    if (c == '/' || c == ' ' || c == '"' || c == '\'') c = '_';
  }
  return name;
}

namespace {

/// The only run of a series: its result is the result of the series.
void RunSingle(const ScenarioFile& file, const Planned& planned, const SeriesOptions& options,
               SeriesResult& result) {
  RunRequest request = planned.request;
  request.target = result.target;
  const auto before = SummaryFileOf(result.target);
  request.progress = options.progress;
  // The point and the seed are settings in addition to the file's. Without a point, and with the file's own
  // seed, nothing changes.
  const bool same = planned.point.empty() && options.seed.value_or(file.scenario.seed) == file.scenario.seed;
  result.code =
      options.in_children ? RunInChildren({request}, 1).front() : RunHere(request, same ? &file : nullptr);
  // Old files that were not replaced do not belong to this run.
  if (const auto now = SummaryFileOf(result.target); now == before || now == decltype(now){}) return;
  result.runs.push_back({planned.point, ReadSummary(result.target), result.target});
  result.summaries.emplace_back(planned.point, result.runs.back().summary);
}

nlohmann::ordered_json OverSeeds(const std::vector<SeedResult>& seeds, size_t planned) {
  std::vector<nlohmann::ordered_json> summaries;
  for (const SeedResult& seed : seeds) summaries.push_back(seed.summary);
  nlohmann::ordered_json summary = Aggregate(summaries, planned);
  AddPooled(summary, seeds);
  return summary;
}

}  // namespace

SeriesResult RunSeries(const ScenarioFile& file, const fs::path& path, const SeriesOptions& options) {
  SeriesResult result;
  result.target = TargetOf(file, options);
  const int seeds = SeedsOf(file, options);

  const std::vector<Planned> single = Plan(file, path, options, result.target, seeds);
  if (single.size() == 1) {
    RunSingle(file, single.front(), options, result);
    return result;
  }

  const HeldSignals signals;  // signals wait until the results are in place
  StagedDirectory staged(result.target, options.replacing);
  const std::vector<Planned> plan = Plan(file, path, options, staged.path(), seeds);
  std::vector<RunRequest> requests;
  for (const Planned& p : plan) requests.push_back(p.request);
  const std::vector<int> codes = RunInChildren(requests, options.jobs);
  for (const RunRequest& r : requests)
    RemoveLeftBeside(r.target);  // leftovers of a run that was killed while it wrote

  std::vector<nlohmann::ordered_json> all;
  std::vector<SeedResult> of_point;
  for (size_t i = 0; i < plan.size(); ++i) {
    result.code = Worse(result.code, codes[i]);
    const bool has_result = IsResult(plan[i].request.target);
    if (has_result) {
      const auto dir = result.target / fs::relative(plan[i].request.target, staged.path());
      result.runs.push_back({plan[i].point, ReadSummary(plan[i].request.target), dir});
      all.push_back(result.runs.back().summary);
      of_point.push_back({result.runs.back().summary, plan[i].request.target});
    }
    const bool last_of_point = i + 1 == plan.size() || plan[i + 1].point != plan[i].point;
    if (!last_of_point || of_point.empty()) continue;
    const nlohmann::ordered_json summary =
        seeds > 1 ? OverSeeds(of_point, static_cast<size_t>(seeds)) : of_point.front().summary;
    result.summaries.emplace_back(plan[i].point, summary);
    if (seeds > 1) WriteSummary(plan[i].request.target.parent_path(), summary);
    of_point.clear();
  }
  if (all.empty()) return result;  // no run finished: the stage is removed
  if (all.size() < plan.size()) result.code = kInterrupted;
  if (result.code == kInterrupted && KeepsFinished(result.target)) {
    result.runs.clear();
    result.summaries.clear();
    return result;
  }
  if (!plan.front().point.empty()) WriteSummary(staged.path(), Aggregate(all, plan.size()));
  staged.Commit();
  return result;
}

}  // namespace headroom

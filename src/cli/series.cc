#include "cli/series.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/aggregate.h"
#include "report/result.h"

namespace headroom {

namespace {

struct Planned {
  Point point;
  RunRequest request;
};

/// Interruption outweighs bad input, which outweighs a failed expectation: the shell sees one code.
int Worse(int a, int b) { return std::max(a, b); }

std::vector<Planned> Plan(const ScenarioFile& file, const std::filesystem::path& path,
                          const SeriesOptions& options, const std::filesystem::path& root, int seeds) {
  const uint64_t first = options.seed.value_or(file.scenario.seed);
  std::vector<Planned> plan;
  for (const Point& point : Points(file.experiment)) {
    for (int i = 0; i < seeds; ++i) {
      const uint64_t seed = first + static_cast<uint64_t>(i);
      Planned p;
      p.point = point;
      p.request.file = path;
      p.request.sets = options.sets;
      for (const std::string& set : PointSets(point, seed)) p.request.sets.push_back(set);
      p.request.target = root;
      if (!point.empty()) p.request.target /= PointName(point, file.experiment.vary);
      if (seeds > 1) p.request.target /= fmt::format("seed-{}", seed);
      p.request.captures = options.captures;
      p.request.force = options.force;
      p.request.check = options.check;
      plan.push_back(std::move(p));
    }
  }
  return plan;
}

}  // namespace

std::string PointName(const Point& point, const std::vector<Variation>& vary) {
  std::string name = PointText(point, vary, ",");
  // Values are YAML: some have characters that no path should.
  for (char& c : name) {
    if (c == '/' || c == ' ' || c == '"' || c == '\'') c = '_';
  }
  return name;
}

SeriesResult RunSeries(const ScenarioFile& file, const std::filesystem::path& path,
                       const SeriesOptions& options) {
  SeriesResult result;
  result.target = options.out.value_or(std::filesystem::path("results") / file.scenario.name);
  CheckTarget(result.target, options.force);
  const int seeds = options.seeds.value_or(file.experiment.seeds);

  const std::vector<Planned> single = Plan(file, path, options, result.target, seeds);
  if (single.size() == 1) {
    RunRequest request = single.front().request;
    request.target = result.target;
    request.progress = options.progress;
    result.code = options.in_children ? RunInChildren({request}, 1).front() : RunHere(request);
    // A finished result that an interrupted run did not replace is not the run's.
    if (!IsResult(result.target) || (result.code == kInterrupted && IsFinishedResult(result.target)))
      return result;
    result.runs.push_back({single.front().point, ReadSummary(result.target), result.target});
    result.summaries.emplace_back(single.front().point, result.runs.back().summary);
    return result;
  }

  StagedDirectory staged(result.target, options.force);
  const std::vector<Planned> plan = Plan(file, path, options, staged.path(), seeds);
  std::vector<RunRequest> requests;
  for (const Planned& p : plan) requests.push_back(p.request);
  const std::vector<int> codes = RunInChildren(requests, options.jobs);

  std::vector<nlohmann::ordered_json> all, of_point;
  for (size_t i = 0; i < plan.size(); ++i) {
    result.code = Worse(result.code, codes[i]);
    const bool has_result = IsResult(plan[i].request.target);
    if (has_result) {
      const auto dir = result.target / std::filesystem::relative(plan[i].request.target, staged.path());
      result.runs.push_back({plan[i].point, ReadSummary(plan[i].request.target), dir});
      all.push_back(result.runs.back().summary);
      of_point.push_back(result.runs.back().summary);
    }
    const bool last_of_point = i + 1 == plan.size() || plan[i + 1].point != plan[i].point;
    if (!last_of_point || of_point.empty()) continue;
    const nlohmann::ordered_json summary = seeds > 1 ? Aggregate(of_point) : of_point.front();
    result.summaries.emplace_back(plan[i].point, summary);
    if (seeds > 1) WriteSummary(plan[i].request.target.parent_path(), summary);
    of_point.clear();
  }
  if (all.empty()) return result;  // nothing ran to a result: the stage goes away
  if (result.code == kInterrupted && KeepsFinished(result.target)) {
    result.runs.clear();
    result.summaries.clear();
    return result;
  }
  if (!plan.front().point.empty()) WriteSummary(staged.path(), Aggregate(all));
  staged.Commit();
  return result;
}

}  // namespace headroom

#include "cli/check/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/check/check.h"
#include "cli/check/check_json.h"
#include "cli/check/check_text.h"
#include "cli/check/remedies.h"
#include "report/mean_at.h"
#include "scenario/read/load.h"

namespace headroom {
namespace {

/// A series with more points than this is not checked point by point.
constexpr size_t kMostPoints = 64;

/// The findings of a series are the findings of its points, not of the values in the file itself. A finding
/// that holds at only some points names these points.
Findings FindingsOfSeries(const std::filesystem::path& file, const std::vector<std::string>& sets,
                          const std::vector<Point>& points, const std::vector<Variation>& vary) {
  struct Found {
    Finding finding;
    std::vector<std::string> at;
  };
  std::vector<Found> found;
  for (const Point& point : points) {
    std::vector<std::string> with = sets;
    for (const auto& [key, value] : point) with.push_back(key + "=" + value);
    const Scenario scenario = LoadScenario(file, with);
    for (Finding& finding : CheckScenario(Fabric(scenario)).findings) {
      const auto same = std::ranges::find_if(found, [&](const Found& f) {
        return f.finding.where == finding.where && f.finding.what == finding.what;
      });
      if (same != found.end()) {
        same->at.push_back(PointText(point, vary));
      } else {
        found.push_back({std::move(finding), {PointText(point, vary)}});
      }
    }
  }
  Findings findings;
  for (Found& f : found) {
    if (f.at.size() < points.size())
      f.finding.where = fmt::format("at {}: {}", fmt::join(f.at, "; "), f.finding.where);
    findings.push_back(std::move(f.finding));
  }
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  return findings;
}

/// All that `check` finds with these settings.
Findings AllFindings(const std::filesystem::path& file, const std::vector<std::string>& sets,
                     const Experiment& experiment, Findings findings) {
  if (experiment.vary.empty()) return findings;
  const std::vector<Point> points = Points(experiment);
  if (points.size() <= kMostPoints) return FindingsOfSeries(file, sets, points, experiment.vary);
  findings.push_back({Finding::Severity::note, "vary",
                      fmt::format("the {} points of vary are not checked one by one: the findings apply to "
                                  "the values in the file itself",
                                  points.size())});
  return findings;
}

void FindAll(const std::filesystem::path& file, const std::vector<std::string>& sets,
             const ScenarioFile& loaded, Findings& findings) {
  findings = AllFindings(file, sets, loaded.experiment, std::move(findings));
  const auto with = [&](const Remedy& remedy) {
    std::vector<std::string> all = sets;
    all.insert(all.end(), remedy.begin(), remedy.end());
    const ScenarioFile changed = LoadScenarioFile(file, all);
    return AllFindings(file, all, changed.experiment, CheckScenario(Fabric(changed.scenario)).findings);
  };
  KeepProven(findings, with,
             TrialsFor(loaded.scenario.topology.nodes.size(), Points(loaded.experiment).size()));
}

}  // namespace

int Check(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& sets,
          const std::optional<std::pair<std::string, std::string>>& path, CheckForm form, std::ostream& out) {
  const bool json = form == CheckForm::json;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool errors = false;
  for (const std::filesystem::path& file : files) {
    const ScenarioFile loaded = LoadScenarioFile(file, sets);
    const Fabric fabric(loaded.scenario);
    CheckReport report = CheckScenario(fabric);
    if (path) report.paths = CheckPath(fabric, path->first, path->second);
    FindAll(file, sets, loaded, report.findings);
    errors |= std::ranges::any_of(report.findings,
                                  [](const Finding& f) { return f.severity == Finding::Severity::error; });
    if (json) {
      all.push_back(CheckAsJson(loaded, report));
    } else {
      out << (&file == &files.front() ? "" : "\n") << CheckAsText(loaded, report, form == CheckForm::full);
    }
  }
  if (json) out << (files.size() == 1 ? all.front() : all).dump(2) << '\n';
  return errors ? 1 : 0;
}

}  // namespace headroom

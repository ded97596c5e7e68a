#include "cli/check/check_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "analysis/check/check.h"
#include "cli/check/check_json.h"
#include "ranks/rank_world.h"
#include "scenario/paths/rank_gain.h"
#include "scenario/read/load.h"
#include "scenario/write/digest.h"

namespace headroom {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> SetsOf(const Json& point) {
  if (!point.is_object())
    throw std::invalid_argument(
        "each point in the list must be a JSON object of settings: {\"KEY\": "
        "\"VALUE\"}");
  std::vector<std::string> sets = {"vary={}", "expect=[]", "seeds=1"};
  for (const auto& [key, value] : point.items()) {
    if (!value.is_string()) {
      throw std::invalid_argument(fmt::format("the value of {} must be a text such as \"100KB\"", key));
    }
    sets.push_back(key + "=" + value.get<std::string>());
  }
  return sets;
}

Json RanksJson(const Scenario& scenario, int ranks, double seconds) {
  RankGain found;
  try {
    if (ranks > 1) CommandForRanks(ranks, {});
    found = GainOfRanks(scenario, ranks, seconds);
  } catch (const std::invalid_argument& error) {
    found.refused = error.what();
  }
  return {{"ranks", found.ranks},
          {"gain", found.gain},
          {"refused", found.refused.empty() ? Json() : Json(found.refused)}};
}

Json CheckPoint(const std::filesystem::path& path, const std::vector<std::string>& sets, int ranks) {
  const ScenarioFile file = LoadScenarioFile(path, sets);
  CheckReport report = CheckScenario(Fabric(file.scenario));
  for (Finding& finding : report.findings) finding.remedies.clear();  // they are not tried
  std::optional<uint32_t> groups;
  for (const ThresholdCheck& t : report.thresholds) {
    if (t.pfc_before_ecn) groups = std::min(groups.value_or(*t.pfc_before_ecn), *t.pfc_before_ecn);
  }
  const auto margin = LeastMargin(report.fluid);
  Json point = {{"digest", DigestOf(file)},
                {"cpu_s", report.traffic.run_seconds},
                {"least_phase_margin_deg", margin ? Json(*margin) : Json()},
                {"pfc_before_ecn_from_groups", groups ? Json(*groups) : Json()},
                {"findings", FindingsAsJson(report.findings)}};
  if (ranks > 0) point["ranks"] = RanksJson(file.scenario, ranks, report.traffic.run_seconds);
  return point;
}

/// `answer` is given the settings of each point.
template <class Answer>
Json OfEach(const std::vector<std::string>& sets, const Json& points, const Answer& answer) {
  if (!points.is_array())
    throw std::invalid_argument(
        "the points must be a JSON list of settings: "
        "[{\"KEY\": \"VALUE\"}, …]");
  Json all = Json::array();
  for (const Json& point : points) {
    std::vector<std::string> with = sets;
    for (const std::string& set : SetsOf(point)) with.push_back(set);
    try {
      all.push_back(answer(with));
    } catch (const ScenarioError& error) {
      all.push_back({{"error", error.what()}});
    }
  }
  return all;
}

}  // namespace

Json CheckPoints(const std::filesystem::path& file, const std::vector<std::string>& sets, const Json& points,
                 int ranks) {
  return OfEach(sets, points, [&](const auto& with) { return CheckPoint(file, with, ranks); });
}

Json DigestsOfPoints(const std::filesystem::path& file, const std::vector<std::string>& sets,
                     const Json& points) {
  return OfEach(sets, points, [&](const auto& with) {
    return Json{{"digest", DigestOf(LoadScenarioFile(file, with))}};
  });
}

}  // namespace headroom

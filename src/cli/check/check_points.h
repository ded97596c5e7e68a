// `check --points`: many settings of one scenario at once, for the programs that choose them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headroom {

/// `points`: a JSON list of objects, each with KEY: "VALUE" as for --set. For each of them, in order, an
/// object: `error`, where the scenario is not valid with these settings, in the words of the command that
/// would run it; else `digest` (scenario/write/digest.h), `cpu_s` (an estimate), `findings` as of
/// CheckAsJson, `pfc_before_ecn_from_groups`, the least over all classes of ports, or null, and
/// `least_phase_margin_deg`, of LeastMargin (analysis/check/check_fluid.h), or null. What the file varies and
/// expects is left aside. Throws std::invalid_argument for points that are not such a list.
nlohmann::ordered_json CheckPoints(const std::filesystem::path& file, const std::vector<std::string>& sets,
                                   const nlohmann::ordered_json& points);

}  // namespace headroom

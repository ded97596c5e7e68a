// `check --points`: many settings of one scenario at once, for the programs that choose them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headroom {

/// `points`: a JSON list of objects, each with KEY: "VALUE" as for --set. For each of them, in order, an
/// object. If the scenario is not valid with these settings, it has only `error`, in the words of the command
/// that would run it. Else it has `digest` (scenario/write/digest.h), `cpu_s` (an estimate) and `findings` as
/// of CheckAsJson. `pfc_before_ecn_from_groups` is the least over all classes of ports, or null. So is
/// `least_phase_margin_deg`, of LeastMargin (analysis/check/check_fluid.h). `vary` and `expect` of the file
/// are ignored. Throws std::invalid_argument for points that are not such a list.
nlohmann::ordered_json CheckPoints(const std::filesystem::path& file, const std::vector<std::string>& sets,
                                   const nlohmann::ordered_json& points);

}  // namespace headroom

// `check --points`: many settings of one scenario at once, for the programs that choose them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headroom {

/// `points`: a JSON list of objects, each with KEY: "VALUE" as for --set. Prints one object per point, in
/// order. If the scenario is not valid with these settings, the object has only `error`, in the words of the
/// command that would run it. Otherwise it has `digest` (scenario/write/digest.h), `cpu_s` (an estimate) and
/// `findings` as CheckAsJson prints them. `pfc_before_ecn_from_groups` is the minimum over all classes of
/// ports, or null. `least_phase_margin_deg` is the result of LeastMargin (analysis/check/check_fluid.h), or
/// null. `vary` and `expect` of the file are ignored. With `ranks`, each object has an object `ranks`. It
/// holds the number of processes, at most this one, in which the scenario can run, and their estimated
/// `gain`. `refused` is the reason why `ranks` processes are not possible, or null. DigestsOfPoints leaves
/// out all but `error` and `digest`, which takes a small part of the time. Throws std::invalid_argument if
/// `points` is no such list.
nlohmann::ordered_json CheckPoints(const std::filesystem::path& file, const std::vector<std::string>& sets,
                                   const nlohmann::ordered_json& points, int ranks = 0);
nlohmann::ordered_json DigestsOfPoints(const std::filesystem::path& file,
                                       const std::vector<std::string>& sets,
                                       const nlohmann::ordered_json& points);

}  // namespace headroom

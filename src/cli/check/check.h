// The command `check`: a scenario's derived values and findings, without a run.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// Prints each scenario's derived values and findings; runs nothing. For a series, it shows the findings of
/// every point. `path`: two hosts; the paths between them are printed too. `json`: prints one object, or a
/// list for several files. Returns 1 if there is a finding of severity error, else 0. Throws ScenarioError,
/// and std::invalid_argument if the two hosts are no pair.
int Check(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& sets,
          const std::optional<std::pair<std::string, std::string>>& path, bool json, std::ostream& out);

}  // namespace headroom

// The command `check`: a scenario's derived values and findings, without a run.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// Prints each scenario's derived values and findings; runs nothing. Of a series, the findings of every point
/// are shown. `path`: two hosts, whose ways are printed too. `json`: one object, of several files a list.
/// Returns 1 where there is a finding of severity error, else 0. Throws ScenarioError, and
/// std::invalid_argument for a pair that is none.
int Check(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& sets,
          const std::optional<std::pair<std::string, std::string>>& path, bool json, std::ostream& out);

}  // namespace headroom

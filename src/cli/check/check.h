// The command `check`: a scenario's derived values and findings, without a run.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// brief: the findings, the estimate, and sections that fit into kBriefLines (check_text.h); full: all
/// sections; json: one object, or a list for several files.
enum class CheckForm { brief, full, json };

/// Prints each scenario's derived values and findings; runs nothing. For a series, it shows the findings of
/// every point. `path`: two hosts; the paths between them are printed too. Returns 1 if there is a finding of
/// severity error, else 0. Throws ScenarioError, and std::invalid_argument if the two hosts are no pair.
int Check(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& sets,
          const std::optional<std::pair<std::string, std::string>>& path, CheckForm form, std::ostream& out);

}  // namespace headroom

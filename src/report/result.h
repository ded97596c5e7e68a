// A result on disk: the directory results/NAME/ with all its files, which appears whole or not at all.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/staged_directory.h"
#include "run/records.h"
#include "scenario/scenario.h"

namespace headroom {

/// A file whose text the caller has: resolved.yaml and the files that it refers to.
struct NamedText {
  std::string name;  ///< path below the result directory
  std::string text;
};

/// Writes summary.json, the CSV files and `texts` to `target`. A finished result is replaced only with
/// `force`. Throws ResultError, leaving the target as it was.
void WriteResult(const std::filesystem::path& target, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts, bool force);

/// The same into a directory that is staged already, perhaps with files of the caller's; puts it in place.
void WriteResult(StagedDirectory& staged, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts);

/// Writes `summary` as `dir`/summary.json, whole or not at all. Throws ResultError.
void WriteSummary(const std::filesystem::path& dir, const nlohmann::ordered_json& summary);

/// The summary.json of a result directory. Throws ResultError where there is none or it cannot be read.
nlohmann::ordered_json ReadSummary(const std::filesystem::path& dir);

}  // namespace headroom

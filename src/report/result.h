// A result on disk: the directory results/NAME/ with all its files, which appears complete or not at all.
//
// Phase: after the run. A function returns when the files are in place. A failure throws ResultError with the
// file and the remedy, and leaves the target as it was.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/staged_directory.h"
#include "run/recording/records.h"
#include "scenario/scenario.h"

namespace headroom {

/// A file with the caller's text: resolved.yaml and the files that it refers to.
struct NamedText {
  std::string name;  ///< path below the result directory
  std::string text;
};

/// Writes summary.json, the CSV files and `texts` to `target`. Replaces an interrupted result; replaces a
/// finished result only with `force`. Throws ResultError if the target blocks or cannot be written.
void WriteResult(const std::filesystem::path& target, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts, bool force);

/// The same into a staged directory, which may contain files of the caller. Puts the directory in place.
void WriteResult(StagedDirectory& staged, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts);

/// Writes `summary` as `dir`/summary.json. Throws ResultError if it cannot be written.
void WriteSummary(const std::filesystem::path& dir, const nlohmann::ordered_json& summary);

/// The summary.json of a result directory. Throws ResultError if it is missing or cannot be read.
nlohmann::ordered_json ReadSummary(const std::filesystem::path& dir);

}  // namespace headroom

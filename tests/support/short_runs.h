// Shortened runs of the shipped scenarios: each runs once, with its own seed, without `vary`, up to this many
// events. The tests in tests/short check every property of complete scenarios on these runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run/recording/records.h"
#include "scenario/read/load.h"

namespace headroom {

/// A run that has not ended by then ends as interrupted.
inline constexpr uint64_t kShortEvents = 100'000;

/// The complete scenarios below `scenarios` except large.yaml, as paths below the source tree, sorted.
/// Folders named `common` have parts that others include.
std::vector<std::string> ShippedScenarios();

/// A run, with its scenario and its result's files.
struct ShortRun {
  const ScenarioFile& file;
  const RunRecord& record;
  const std::filesystem::path& result;
};

/// Runs it in this process and writes all files of a result to `result`. The record has the ideal times of
/// messages.
RunRecord RunShort(const ScenarioFile& file, const std::filesystem::path& result);
/// Writes all files of a result to `result`, with the ideal times of messages.
void WriteRun(const ScenarioFile& file, RunRecord& record, const std::filesystem::path& result);

/// Digest of the files of a result, with names and bytes: `numbers` for the CSV files, `words` for the
/// others. A run's duration and version are left out.
struct ResultDigest {
  std::string numbers, words;
  auto operator<=>(const ResultDigest&) const = default;
};
ResultDigest DigestOfResult(const std::filesystem::path& result);

}  // namespace headroom

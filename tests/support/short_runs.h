// Shortened runs of what is shipped: each scenario once, with its own seed, without `vary`, up to so many
// events. Every property of whole scenarios is tested on these runs (tests/short).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run/records.h"
#include "scenario/read/load.h"

namespace headroom {

/// A run that is not over by then ends as interrupted.
inline constexpr uint64_t kShortEvents = 100'000;

/// The scenarios below `scenarios` that stand for themselves, as paths below the source tree, sorted. Parts
/// that others include lie in folders `common`.
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

/// Of the files of a result, each by its name and bytes: `numbers` of the CSV files, `words` of the others. A
/// run's duration and version are left out.
struct ResultDigest {
  std::string numbers, words;
  auto operator<=>(const ResultDigest&) const = default;
};
ResultDigest DigestOfResult(const std::filesystem::path& result);

}  // namespace headroom

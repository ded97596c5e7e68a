// The command `compare`: two results in text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "report/verdict.h"

namespace headroom {

/// A result: the summary of one run, or a summary over several seeds with each seed's summary.
struct ComparedResult {
  nlohmann::ordered_json summary;
  std::map<uint64_t, nlohmann::ordered_json> by_seed;  ///< empty for one run
  bool IsOneRun() const { return !summary.contains("seeds"); }
};

/// What the user asked for.
struct CompareOptions {
  std::optional<double> tolerance_percent;
  double resolution = kResolution;     ///< the smallest change that matters, as a share
  std::vector<std::string> metrics{};  ///< empty: all
  bool json = false;                   ///< for programs, instead of text
};

/// A metric whose values differ between two results. A change between results of several seeds has an
/// interval. The change is noise if the interval contains 0.
struct MetricChange {
  std::string path;
  std::string a, b;               ///< as text, with intervals; "-" where there is no value
  std::optional<double> percent;  ///< share of a's value; none if that is 0, or if either value is no number
  std::optional<std::pair<double, double>> ends_percent;  ///< ends of the 95 % interval of `percent`
  bool noise = false;
  std::optional<Verdict> verdict;    ///< set if the change has an interval
  std::optional<size_t> more_seeds;  ///< if undecided: additional seeds that would decide; none if unknown
  double size = 0;  ///< size of the change, in the metric's unit; if only one result has the value, the whole
                    ///< value counts

  /// A change without a percentage is beyond every tolerance.
  bool Beyond(double tolerance_percent) const;
  /// False if the change is uncertain, or too small to matter.
  bool Matters() const { return !verdict || *verdict == Verdict::lower || *verdict == Verdict::higher; }
};

/// All metrics that differ between the two results, in the order of `a`, without cost and seeds. `equal`
/// counts the metrics that do not differ. `options.metrics` limits both.
std::vector<MetricChange> Changes(const ComparedResult& a, const ComparedResult& b,
                                  const CompareOptions& options, size_t& equal);

/// Prints the settings that differ, and the changes from result `a` to result `b` with their sizes:
///
///   {settings: [{setting, a, b}] or null, why_no_settings, equal,
///    changes: [{metric, a, b, change_percent, low_percent, high_percent, within_interval, verdict}]}
///
/// as JSON, with null where there is no number, no interval or no verdict. If a metric is a percentile over
/// the messages of all seeds, `a` and `b` are these percentiles. Returns 1 if a tolerance (in per cent) is
/// given and a metric changed by more than that, and not by noise; else 0. Throws ResultError if there is no
/// result, or if neither has a metric of the options.
int Compare(const std::filesystem::path& a, const std::filesystem::path& b, const CompareOptions& options,
            std::ostream& out);

}  // namespace headroom

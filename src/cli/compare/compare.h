// The command `compare`: two results in text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace headroom {

/// A result: one run's summary, or one over several seeds with the summaries of each.
struct ComparedResult {
  nlohmann::ordered_json summary;
  std::map<uint64_t, nlohmann::ordered_json> by_seed;  ///< empty for one run
};

/// A metric that two results do not share in value. A change between results of several seeds has an
/// interval, and is noise where that holds 0.
struct MetricChange {
  std::string path;
  std::string a, b;                        ///< as text, with intervals; "-" where there is no value
  std::optional<double> percent;           ///< of a's value; none if that is 0, or one of them is no number
  std::optional<double> interval_percent;  ///< half the width of the 95 % interval of `percent`
  bool noise = false;
  std::string verdict;  ///< where the change has an interval and is not certain, or too small to matter
  double size = 0;      ///< of the change, in the metric's unit; a value of only one result counts whole

  /// A change without a percentage is beyond every tolerance.
  bool Beyond(double tolerance_percent) const;
};

/// What differs from one result to the other, their cost and seeds apart, in the order of `a`. Counts in
/// `equal` what does not. If both ran the same seeds, an interval is that of the mean of the differences seed
/// by seed (Student's t, n − 1 degrees of freedom). So a seed's effect on both cancels. If one of them is a
/// single run, it is taken to vary from seed to seed like the runs of the other. Elsewhere the interval is
/// that of the difference of two independent means. `resolution`: the smallest change that matters, as a
/// share.
std::vector<MetricChange> Changes(const ComparedResult& a, const ComparedResult& b, double resolution,
                                  size_t& equal);

/// Prints the settings that differ, and the changes from result `a` to result `b` with their sizes. Returns 1
/// where a tolerance (in per cent) is given and a metric changed by more, and not by noise; else 0. Throws
/// ResultError where there is no result.
int Compare(const std::filesystem::path& a, const std::filesystem::path& b,
            std::optional<double> tolerance_percent, double resolution, std::ostream& out);

}  // namespace headroom

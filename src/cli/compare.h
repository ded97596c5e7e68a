// The command `compare`: two results in text.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace headroom {

/// A metric that two results do not share in value. A change between results of several seeds is noise where
/// it is smaller than the 95 % intervals of both together.
struct MetricChange {
  std::string path;
  std::string a, b;               ///< as text, with intervals; "-" where there is no value
  std::optional<double> percent;  ///< of a's value; none where that is 0, or one of them is no number
  bool noise = false;

  /// A change without a percentage is beyond every tolerance.
  bool Beyond(double tolerance_percent) const;
};

/// What differs from one summary to the other, their cost and seeds apart, in the order of `a`. Counts in
/// `equal` what does not.
std::vector<MetricChange> Changes(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b,
                                  size_t& equal);

/// Prints what changed from result `a` to result `b` and by how much. Returns 1 where a tolerance (in per
/// cent) is given and a metric changed by more, and not by noise; else 0. Throws ResultError where there is
/// no result.
int Compare(const std::filesystem::path& a, const std::filesystem::path& b,
            std::optional<double> tolerance_percent, std::ostream& out);

}  // namespace headroom

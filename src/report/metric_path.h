// Metrics of a summary by their path: keys joined by dots, for example messages.burst.completion_us.p99.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headroom {

/// The value at a path, or nullptr. The name of a workload or switch has no dots, so paths are unambiguous.
const nlohmann::ordered_json* FindMetric(const nlohmann::ordered_json& summary, const std::string& path);

/// Finds many metrics of a summary in which an object may have thousands of keys. Keeps a reference.
class MetricIndex {
 public:
  explicit MetricIndex(const nlohmann::ordered_json& summary) : summary_(summary) {}
  /// As FindMetric.
  const nlohmann::ordered_json* Find(const std::string& path) const;
  /// As FindNumber.
  std::optional<double> Number(const std::string& path) const;
  const nlohmann::ordered_json& summary() const { return summary_; }

 private:
  using Members = std::unordered_map<std::string_view, const nlohmann::ordered_json*>;
  const nlohmann::ordered_json& summary_;
  mutable std::unordered_map<const nlohmann::ordered_json*, Members> members_;  ///< of objects seen so far
};

/// The number at a path; none if it is missing, null or no number.
std::optional<double> FindNumber(const nlohmann::ordered_json& summary, const std::string& path);

/// Paths and values of everything except objects and lists, in the order of the summary. Metrics about the
/// seeds of an aggregate are left out.
std::vector<std::pair<std::string, nlohmann::ordered_json>> Leaves(const nlohmann::ordered_json& summary);

/// The path of the leaf that was probably meant, in double quotes; empty if none is similar.
std::string NearestPath(const nlohmann::ordered_json& summary, const std::string& path);

}  // namespace headroom

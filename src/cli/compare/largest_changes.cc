#include "cli/compare/largest_changes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace headroom {

namespace {

enum class Subject { failure, workload, network };

struct Ranked {
  const MetricChange* change;
  Subject subject;
  std::string group;  ///< only the largest change of a group is listed
  double size;        ///< |log(B / A)|; infinite if one of them is 0
};

bool EndsWithAny(const std::string& path, const std::vector<std::string_view>& ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return path.ends_with(end); });
}

/// Paths of workloads' metrics are messages.W.… and operations.W.all.…; a name may contain dots in quotes.
std::optional<Ranked> RankedAs(const MetricChange& c) {
  const std::string& path = c.path;
  const auto as = [&](Subject subject, const std::string& group) {
    const double size = c.percent ? std::abs(std::log1p(*c.percent / 100)) : HUGE_VAL;
    return Ranked{&c, subject, group, size};
  };
  const bool messages = path.starts_with("messages.");
  if (messages || (path.starts_with("operations.") && path.find(".all.") != std::string::npos)) {
    if (path.find(".by_size.") != std::string::npos) return std::nullopt;
    if (EndsWithAny(path, {".unfinished", ".failed", ".lost", ".corrupt"})) return as(Subject::failure, path);
    const std::string workload =
        path.substr(0, messages ? path.rfind('.', path.rfind('.') - 1) : path.find(".all."));
    if (EndsWithAny(
            path, {".completion_us.p50", ".completion_us.p99", ".all.latency_us.p50", ".all.latency_us.p99"}))
      return as(Subject::workload, workload + " time");
    if (EndsWithAny(path, {".goodput_gbps", ".all.iops", ".all.mops"}))
      return as(Subject::workload, (messages ? path : workload) + " rate");
    return std::nullopt;
  }
  if (path == "drops.lossless") return as(Subject::failure, path);
  static const std::set<std::string> network = {"drops.lossy",         "pfc.paused_us",
                                                "pfc.watchdog_storms", "ecn.marked_fraction",
                                                "transport.timeouts",  "transport.retransmitted_packets"};
  if (network.contains(path)) return as(Subject::network, path);
  return std::nullopt;
}

}  // namespace

std::vector<MetricChange> LargestChanges(const std::vector<MetricChange>& changes, double resolution,
                                         size_t most) {
  std::vector<Ranked> found;
  for (const MetricChange& c : changes) {
    const bool in_both = c.a != "-" && c.b != "-";
    if (!in_both || c.noise || !c.Matters() || !c.Beyond(100 * resolution)) continue;
    if (const auto ranked = RankedAs(c)) found.push_back(*ranked);
  }
  std::ranges::stable_sort(found, [](const Ranked& x, const Ranked& y) {
    return x.subject != y.subject ? x.subject < y.subject : x.size > y.size;
  });
  std::vector<MetricChange> out;
  std::set<std::string> groups;
  for (const Ranked& ranked : found)
    if (out.size() < most && groups.insert(ranked.group).second) out.push_back(*ranked.change);
  return out;
}

}  // namespace headroom

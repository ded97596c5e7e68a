#include "cli/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/metric_text.h"
#include "report/result.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// The cost of a run and what names it differ by nature; `censored` shows in the value's own text.
bool IsCompared(const std::string& path) {
  static const std::set<std::string> names = {"scenario", "seed", "version"};
  return !path.starts_with("run.") && !names.contains(path) && path.find(".censored.") == std::string::npos;
}

std::string TextOf(const ordered_json& summary, const std::string& path) {
  const ordered_json* value = FindMetric(summary, path);
  if (!value || value->is_null()) return "-";
  if (value->is_string()) return value->get<std::string>();
  if (value->is_boolean()) return value->get<bool>() ? "true" : "false";
  return MetricText(summary).Cell(path);
}

/// Half the width of the interval that the difference of two means has, where either is a mean.
std::optional<double> NoiseOf(const ordered_json& a, const ordered_json& b, const std::string& path) {
  const std::string at = "seeds.metrics." + path + ".half_width_95";
  const auto in_a = FindNumber(a, at), in_b = FindNumber(b, at);
  if (!in_a && !in_b) return std::nullopt;
  return std::hypot(in_a.value_or(0), in_b.value_or(0));
}

std::vector<std::string> PathsOfBoth(const ordered_json& a, const ordered_json& b) {
  std::vector<std::string> paths;
  std::set<std::string> known;
  for (const ordered_json* summary : {&a, &b}) {
    for (const auto& [path, unused] : Leaves(*summary)) {
      if (IsCompared(path) && known.insert(path).second) paths.push_back(path);
    }
  }
  return paths;
}

}  // namespace

bool MetricChange::Beyond(double tolerance_percent) const {
  return !noise && (!percent || std::abs(*percent) > tolerance_percent);
}

std::vector<MetricChange> Changes(const ordered_json& a, const ordered_json& b, size_t& equal) {
  std::vector<MetricChange> changes;
  equal = 0;
  for (const std::string& path : PathsOfBoth(a, b)) {
    const ordered_json* in_a = FindMetric(a, path);
    const ordered_json* in_b = FindMetric(b, path);
    const ordered_json none;
    if ((in_a ? *in_a : none) == (in_b ? *in_b : none)) {
      ++equal;
      continue;
    }
    MetricChange change{path, TextOf(a, path), TextOf(b, path), std::nullopt, false};
    const auto x = FindNumber(a, path), y = FindNumber(b, path);
    if (x && y) {
      if (*x != 0) change.percent = (*y - *x) / std::abs(*x) * 100;
      const auto noise = NoiseOf(a, b, path);
      change.noise = noise && std::abs(*y - *x) <= *noise;
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

namespace {

/// buffer.<switch>.<metric> → buffer.*.<metric>; other paths stay.
std::string Family(const std::string& path) {
  if (!path.starts_with("buffer.")) return path;
  return "buffer.*" + path.substr(path.rfind('.'));
}

/// A region has hundreds of switches: of each of their metrics, the one that changed most stands for all.
std::vector<std::pair<MetricChange, size_t>> LargestOfFamilies(const std::vector<MetricChange>& changes) {
  std::vector<std::pair<MetricChange, size_t>> out;
  std::map<std::string, size_t> place;
  const auto size = [](const MetricChange& c) { return c.percent ? std::abs(*c.percent) : HUGE_VAL; };
  for (const MetricChange& c : changes) {
    const auto [at, is_new] = place.try_emplace(Family(c.path), out.size());
    if (is_new) {
      out.emplace_back(c, 1);
      continue;
    }
    auto& [largest, members] = out[at->second];
    ++members;
    if (size(c) > size(largest)) largest = c;
  }
  return out;
}

std::string ChangeText(const MetricChange& c) {
  if (!c.percent) return "";
  const double size = std::abs(*c.percent);
  if (size < 0.01) return *c.percent < 0 ? "> -0.01 %" : "< +0.01 %";
  return fmt::format("{:+.{}f} %", *c.percent, size < 10 ? 2 : size < 1000 ? 1 : 0);
}

std::string NameOf(const std::filesystem::path& dir, const ordered_json& summary) {
  if (summary.contains("seeds")) {
    return fmt::format("{} ({}, {} seeds)", dir.string(), summary.value("scenario", ""),
                       summary["seeds"]["list"].size());
  }
  return fmt::format("{} ({}, seed {})", dir.string(), summary.value("scenario", ""), summary["seed"].dump());
}

}  // namespace

int Compare(const std::filesystem::path& a, const std::filesystem::path& b,
            std::optional<double> tolerance_percent, std::ostream& out) {
  const ordered_json in_a = ReadSummary(a), in_b = ReadSummary(b);
  out << "A  " << NameOf(a, in_a) << "\nB  " << NameOf(b, in_b) << "\n\n";

  size_t equal = 0;
  const std::vector<MetricChange> changes = Changes(in_a, in_b, equal);
  const double tolerance = tolerance_percent.value_or(0);
  TextTable table("lrrrl", {"metric", "A", "B", "change", ""});
  for (const auto& [c, members] : LargestOfFamilies(changes)) {
    std::string note = c.noise                                    ? "within the intervals"
                       : tolerance_percent && c.Beyond(tolerance) ? "beyond"
                                                                  : "";
    if (members > 1) note += fmt::format("{}most of {} switches", note.empty() ? "" : ", ", members);
    table.AddRow({Shorten(c.path, 44), c.a, c.b, ChangeText(c), note});
  }
  if (!table.Empty()) out << table.ToString() << '\n';

  const auto beyond =
      std::count_if(changes.begin(), changes.end(), [&](auto& c) { return c.Beyond(tolerance); });
  out << fmt::format("{} metrics changed, {} are equal", changes.size(), equal);
  if (tolerance_percent) out << fmt::format("; {} changed by more than {:g} %", beyond, tolerance);
  out << '\n';
  const MetricText speed_a(in_a), speed_b(in_b);
  out << fmt::format("speed: {:.2f} and {:.2f} M packet-hops per CPU second\n",
                     speed_a.Number("run.packet_hops_per_cpu_s") / 1e6,
                     speed_b.Number("run.packet_hops_per_cpu_s") / 1e6);
  return tolerance_percent && beyond > 0 ? 1 : 0;
}

}  // namespace headroom

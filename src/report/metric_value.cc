#include "report/metric_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "files/staged_directory.h"
#include "report/metric_path.h"
#include "report/percentiles.h"
#include "report/result_series.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

MetricValue Problem(std::string text) { return {std::nullopt, false, std::move(text)}; }

std::vector<std::string> Steps(const std::string& metric) {
  // A dot inside at(…) belongs to a number.
  std::vector<std::string> parts(1);
  bool inside = false;
  for (const char c : metric) {
    inside = c == '(' || (inside && c != ')');
    if (c == '.' && !inside) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

MetricValue AtTime(const std::vector<SeriesPoint>& series, const std::string& when,
                   const std::string& metric) {
  Node text;
  text.kind = Node::Kind::scalar;
  text.text = when;
  Time time;
  try {
    time = ParseTime(text);
  } catch (const ScenarioError&) {
    return Problem(fmt::format("{}: \"{}\" is not a time such as 155us", metric, when));
  }
  if (series.front().time > time) {
    return Problem(fmt::format("{}: the series has no value at this time; it begins at {}", metric,
                               FormatTime(series.front().time)));
  }
  const SeriesPoint* last = &series.front();
  for (const SeriesPoint& p : series) {
    if (p.time <= time) last = &p;
  }
  return {last->value, false, {}};
}

MetricValue Reduce(const std::vector<SeriesPoint>& series, const std::string& how, const std::string& metric,
                   const char* observation) {
  if (series.empty()) {
    return Problem(
        fmt::format("{}: the result has no such series; let observe.{} record it, and run the scenario "
                    "again",
                    metric, observation));
  }
  if (how.starts_with("at(") && how.ends_with(')'))
    return AtTime(series, how.substr(3, how.size() - 4), metric);
  double most = series.front().value, sum = 0;
  for (const SeriesPoint& p : series) {
    most = std::max(most, p.value);
    sum += p.value;
  }
  if (how == "max") return {most, false, {}};
  if (how == "mean") return {sum / static_cast<double>(series.size()), false, {}};
  for (const auto& [name, permille] : {std::pair("p50", 500), std::pair("p95", 950), std::pair("p99", 990)}) {
    if (how != name) continue;
    std::vector<Observed> values;
    for (const SeriesPoint& p : series) values.push_back({p.value});
    SortObserved(values);
    return {NearestRank(values, permille)->value, false, {}};
  }
  return Problem(
      fmt::format("{}: \"{}\" is not a function of a series; allowed: at(TIME), max, mean, "
                  "p50, p95, p99",
                  metric, how));
}

MetricValue FromSummary(const RunOutcome& run, const std::string& metric) {
  const auto* found = FindMetric(run.summary, metric);
  if (!found || found->is_object()) {
    const std::string near = NearestPath(run.summary, metric);
    return Problem(fmt::format("{}: the summary does not have this metric{}", metric,
                               near.empty() ? "" : "; did you mean " + near + "?"));
  }
  if (found->is_null()) return Problem(metric + ": the value is null, because there was nothing to measure");
  if (found->is_boolean()) return {found->get<bool>() ? 1.0 : 0.0, false, {}};
  if (!found->is_number()) return Problem(metric + ": is not a number");
  const size_t dot = metric.rfind('.');
  const bool censored =
      dot != std::string::npos &&
      FindMetric(run.summary, metric.substr(0, dot) + ".censored" + metric.substr(dot)) != nullptr;
  return {found->get<double>(), censored, {}};
}

}  // namespace

MetricValue ValueOf(const RunOutcome& run, const std::string& metric) {
  const std::vector<std::string> part = Steps(metric);
  const ResultSeries series(run.dir);
  try {
    if (part[0] == "rates") {
      if (part.size() != 4)
        return Problem(metric +
                       ": a path of a rate has the form rates.HOST.QP.at(TIME); instead of "
                       "at(TIME): max, mean, p50, p95 or p99");
      return Reduce(series.Rates(part[1], part[2]), part[3], metric, "rates");
    }
    if (part[0] == "queues") {
      if (part.size() != 5)
        return Problem(metric +
                       ": a path of a queue has the form queues.NODE.PORT.QUEUE.max; instead of max: "
                       "mean, p50, p95, p99 or at(TIME)");
      return Reduce(series.Queue(part[1], part[2], part[3]), part[4], metric, "queues");
    }
    if (part[0] == "ports") {
      if (part.size() != 5)
        return Problem(metric +
                       ": a path of a port's counter has the form "
                       "ports.NODE.PORT.PRIORITY.COLUMN");
      const auto value = series.Port(part[1], part[2], part[3], part[4]);
      if (!value) return Problem(metric + ": ports.csv has no such port, priority or column");
      return {value, false, {}};
    }
  } catch (const ResultError& error) {
    return Problem(error.what());
  }
  return FromSummary(run, metric);
}

std::string UnitOf(const std::string& metric) {
  if (metric.starts_with("rates.")) return "bps";
  if (metric.starts_with("queues.")) return "B";
  if (metric.starts_with("cores.")) return "1";
  constexpr std::pair<const char*, const char*> kSuffixes[] = {
      {"_us", "us"}, {"_ns", "ns"}, {"_gbps", "Gbps"}, {"_bps", "bps"}, {"_bytes", "B"}};
  // The unit is in the last key or, as in completion_us.p99, in the previous one.
  std::vector<std::string> part = Steps(metric);
  std::reverse(part.begin(), part.end());
  part.resize(std::min<size_t>(part.size(), 2));
  for (std::string key : part) {
    for (const char* direction : {"_tx", "_rx"}) {
      if (key.ends_with(direction)) key.resize(key.size() - 3);
    }
    for (const auto& [suffix, unit] : kSuffixes) {
      if (key.ends_with(suffix)) return unit;
    }
    if (key == "bytes") return "B";
    if (key == "gbps") return "Gbps";
    if (key.ends_with("_fraction") || key == "utilisation" || key == "closest_to_xoff") return "1";
  }
  return "";
}

std::optional<double> Convert(double value, const std::string& from, const std::string& to) {
  struct Unit {
    const char* name;
    char kind;
    double size;
  };
  constexpr Unit kUnits[] = {
      {"ps", 't', 1e-12}, {"ns", 't', 1e-9},     {"us", 't', 1e-6},     {"ms", 't', 1e-3},
      {"s", 't', 1},      {"bps", 'r', 1},       {"Kbps", 'r', 1e3},    {"Mbps", 'r', 1e6},
      {"Gbps", 'r', 1e9}, {"Tbps", 'r', 1e12},   {"B", 'b', 1},         {"KB", 'b', 1e3},
      {"kB", 'b', 1e3},   {"MB", 'b', 1e6},      {"GB", 'b', 1e9},      {"TB", 'b', 1e12},
      {"KiB", 'b', 1024}, {"MiB", 'b', 1 << 20}, {"GiB", 'b', 1 << 30}, {"1", 'f', 1},
      {"%", 'f', 0.01},
  };
  const auto find = [&](const std::string& name) {
    return std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return name == u.name; });
  };
  const auto a = find(from), b = find(to);
  if (a == std::end(kUnits) || b == std::end(kUnits) || a->kind != b->kind) return std::nullopt;
  return value * a->size / b->size;
}

}  // namespace headroom

#include "report/mean_at.h"

#include <fmt/format.h>

#include "report/statistics.h"

namespace headroom {

MeanValue MeanAt(const std::vector<RunOutcome>& runs, const std::string& metric, const Point& point,
                 const std::string& unit) {
  MeanValue out;
  std::vector<double> values;
  for (const RunOutcome& run : runs) {
    if (run.at != point) continue;
    if (run.summary.value("status", "") == "interrupted") {
      out.problem = metric + ": the run was interrupted, so it has no value";
      return out;
    }
    const MetricValue one = ValueOf(run, metric);
    std::optional<double> value = one.value;
    out.problem = one.problem;
    if (value && !unit.empty()) {
      value = Convert(*value, UnitOf(metric), unit);
      if (!value) {
        const std::string own = UnitOf(metric);
        out.problem = fmt::format("{}: its value cannot be converted to \"{}\", {}", metric, unit,
                                  own.empty() ? "because it has no unit" : "its unit is " + own);
      }
    }
    if (!value) return out;
    values.push_back(*value);
    out.censored |= one.censored;
  }
  if (values.empty()) {
    out.problem =
        fmt::format("{}: no run has the point {}", metric, point.empty() ? "all" : PointText(point, {}));
    return out;
  }
  const MeanInterval m = IntervalOfMean(values);
  out.mean = m.mean;
  out.half_width = m.half_width;
  return out;
}

}  // namespace headroom

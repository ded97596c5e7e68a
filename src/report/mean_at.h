// The value of a metric over the seeds of one point of an experiment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/metric_value.h"
#include "scenario/experiment.h"

namespace headroom {

struct MeanValue {
  std::optional<double> mean;
  std::optional<double> half_width;  ///< half-width of the 95 % interval; none with one seed
  bool censored = false;             ///< true if the value of any run is: then the true mean is at least this
  std::string problem;               ///< why there is no mean
};

/// The mean over the runs at exactly this point, converted to `unit` (empty: the metric's own).
MeanValue MeanAt(const std::vector<RunOutcome>& runs, const std::string& metric, const Point& point,
                 const std::string& unit);

}  // namespace headroom

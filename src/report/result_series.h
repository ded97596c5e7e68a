// Single values from the tables and time series of a result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// One sample of a time series.
struct SeriesPoint {
  Time time;
  double value = 0;
};

class ResultSeries {
 public:
  /// `dir` is a result's directory; files are read when requested.
  explicit ResultSeries(std::filesystem::path dir) : dir_(std::move(dir)) {}

  /// rates.csv of one QP, in bit/s, in the order of time. Throws ResultError if the file cannot be read.
  std::vector<SeriesPoint> Rates(const std::string& host, const std::string& qp) const;

  /// queues.csv of one queue, in bytes, in the order of time. Throws ResultError.
  std::vector<SeriesPoint> Queue(const std::string& node, const std::string& port,
                                 const std::string& queue) const;

  /// A column of ports.csv; none if the port, priority or column does not exist. Throws ResultError.
  std::optional<double> Port(const std::string& node, const std::string& port, const std::string& priority,
                             const std::string& column) const;

 private:
  std::filesystem::path dir_;
};

}  // namespace headroom

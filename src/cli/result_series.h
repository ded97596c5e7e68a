// Single values out of the tables and time series of a result.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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
  /// `dir` is a result's directory; files are read when asked for.
  explicit ResultSeries(std::filesystem::path dir) : dir_(std::move(dir)) {}

  /// rates.csv of one QP, in bit/s, in the order of time. Throws ResultError where the file cannot be read.
  std::vector<SeriesPoint> Rates(const std::string& host, const std::string& qp) const;

  /// queues.csv of one queue, in bytes, in the order of time. Throws ResultError.
  std::vector<SeriesPoint> Queue(const std::string& node, const std::string& port,
                                 const std::string& queue) const;

  /// A column of ports.csv; none where there is no such port, priority or column. Throws ResultError.
  std::optional<double> Port(const std::string& node, const std::string& port, const std::string& priority,
                             const std::string& column) const;

 private:
  using Row = std::vector<std::string_view>;
  void ForEachRow(const char* file, const std::function<void(const Row&)>& use) const;

  std::filesystem::path dir_;
};

}  // namespace headroom

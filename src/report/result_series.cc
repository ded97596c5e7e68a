#include "report/result_series.h"

#include <algorithm>
#include <charconv>

#include "report/csv/csv_rows.h"

namespace headroom {

static double NumberIn(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Reads "12.345" nanoseconds, always with three decimal places.
static Time TimeIn(std::string_view text) {
  int64_t picoseconds = 0;
  for (const char c : text) {
    if (c != '.') picoseconds = picoseconds * 10 + (c - '0');
  }
  return Picoseconds(picoseconds);
}

std::vector<SeriesPoint> ResultSeries::Rates(const std::string& host, const std::string& qp) const {
  std::vector<SeriesPoint> out;
  ForEachCsvRow(dir_ / "rates.csv", {"host", "qp", "time_ns", "rate_bps"}, [&](const CsvRow& row) {
    if (row[0] == host && row[1] == qp) out.push_back({TimeIn(row[2]), NumberIn(row[3])});
  });
  return out;
}

std::vector<SeriesPoint> ResultSeries::Queue(const std::string& node, const std::string& port,
                                             const std::string& queue) const {
  std::vector<SeriesPoint> out;
  ForEachCsvRow(dir_ / "queues.csv", {"node", "port", "queue", "time_ns", "bytes"}, [&](const CsvRow& row) {
    if (row[0] == node && row[1] == port && row[2] == queue)
      out.push_back({TimeIn(row[3]), NumberIn(row[4])});
  });
  return out;
}

std::optional<double> ResultSeries::Port(const std::string& node, const std::string& port,
                                         const std::string& priority, const std::string& column) const {
  std::optional<size_t> at;
  std::optional<double> value;
  bool header = true;
  ForEachCsvRow(dir_ / "ports.csv", {}, [&](const CsvRow& row) {
    if (header) {
      const auto found = std::find(row.begin(), row.end(), column);
      if (found != row.end()) at = static_cast<size_t>(found - row.begin());
      header = false;
    } else if (at && row[0] == node && row[1] == port && row[2] == priority && !row[*at].empty()) {
      value = NumberIn(row[*at]);
    }
  });
  return value;
}

}  // namespace headroom

// The table that comes from estats.csv.
#include <fmt/format.h>

#include <cmath>

#include "cli/show/operator_tables.h"
#include "report/result.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// A field in nanoseconds, converted to µs with all its digits.
ordered_json InUs(const CsvTable& table, size_t row, std::string_view column) {
  return static_cast<double>(std::llround(table.RealAt(row, column) * 1000)) / 1e6;
}

}  // namespace

const CsvTable& RunFiles::estats() const {
  if (estats_) return *estats_;
  estats_.emplace(dir_ / "estats.csv");
  for (size_t row = 0; row < estats_->rows(); ++row) estats_rows_[estats_->At(row, "host")].push_back(row);
  return *estats_;
}

std::vector<std::string> EstatsHosts(const RunFiles& run) {
  if (!ReadSummary(run.dir()).contains("estats")) {
    throw ResultError(
        fmt::format("{}: the run kept no Estats; the scenario asks for them with observe: {{estats: {{}}}}",
                    run.dir().string()));
  }
  std::vector<std::string> hosts;
  for (const auto& [host, unused] : run.EstatsRows()) hosts.push_back(host);
  return hosts;
}

std::vector<OperatorTable> EstatsTables(const RunFiles& run, const std::string& host) {
  OperatorTable table{"", {"Until [us]", "Peer", "QP", "Operation", "Status", "Count"}, {}};
  for (const char* span : {"T5-T1", "T6-T1"}) {
    for (const char* statistic : {"p50", "p99", "p99.9", "max"})
      table.header.push_back(fmt::format("{} {} [us]", span, statistic));
  }
  const CsvTable& estats = run.estats();
  for (const size_t row : run.EstatsRows().at(host)) {
    auto& cells = table.rows.emplace_back();
    const std::string& peer = estats.At(row, "peer");
    cells = {InUs(estats, row, "time_ns"), peer.empty() ? "N/A" : peer, estats.NumberAt(row, "qp"),
             estats.At(row, "operation"),  estats.At(row, "status"),    estats.NumberAt(row, "count")};
    for (const char* span : {"t5_t1", "t6_t1"}) {
      for (const char* statistic : {"p50", "p99", "p999", "max"})
        cells.push_back(InUs(estats, row, fmt::format("{}_{}_ns", span, statistic)));
    }
  }
  return {table};
}

}  // namespace headroom

// The table that comes from watchdog.csv.
#include <fmt/format.h>

#include "cli/show/operator_tables.h"

namespace headroom {

std::vector<OperatorTable> WatchdogStats(const RunFiles& run, const std::string& node) {
  OperatorTable table{"",
                      {"QUEUE", "STATUS", "STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP",
                       "TX LAST OK/DROP", "RX LAST OK/DROP"},
                      {}};
  const CsvTable watchdogs(run.dir() / "watchdog.csv");
  for (size_t row = 0; row < watchdogs.rows(); ++row) {
    if (watchdogs.At(row, "node") != node) continue;
    const auto pair = [&](const char* a, const char* b) {
      return fmt::format("{}/{}", watchdogs.NumberAt(row, a), watchdogs.NumberAt(row, b));
    };
    table.rows.push_back({watchdogs.At(row, "port") + ':' + watchdogs.At(row, "priority"),
                          watchdogs.At(row, "status"), pair("storms_detected", "storms_restored"),
                          pair("tx_ok", "tx_drop"), pair("rx_ok", "rx_drop"),
                          pair("tx_ok_last", "tx_drop_last"), pair("rx_ok_last", "rx_drop_last")});
  }
  return {table};
}

}  // namespace headroom

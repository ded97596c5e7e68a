// Part of human_sections.h: RDMA Estats.
#include <fmt/format.h>

#include "report/text/human_sections.h"
#include "report/text/metric_text.h"

namespace headroom {

std::string DescribeEstats(const Scenario& scenario, const nlohmann::ordered_json& summary) {
  if (!scenario.observe.estats) return "";
  const MetricText metric(summary);
  TextTable table("llrrrrrrr",
                  {"Estats, µs", "status", "count", "T5−T1 p50", "p99", "max", "T6−T1 p50", "p99", "max"});
  for (const auto& [operation, statuses] : summary.at("estats").items()) {
    if (!statuses.is_object()) continue;
    for (const auto& [status, unused] : statuses.items()) {
      const std::string at = "estats." + operation + '.' + status + '.';
      std::vector<std::string> row = {operation, status, metric.Cell(at + "count")};
      for (const char* span : {"t5_t1_us.", "t6_t1_us."}) {
        for (const char* statistic : {"p50", "p99", "max"}) row.push_back(metric.Cell(at + span + statistic));
      }
      table.AddRow(std::move(row));
    }
  }
  if (table.Empty()) return "Estats: no operation ended\n";
  const double bound = metric.Number("estats.clock_error_bound_us");
  return table.ToString() +
         (bound > 0 ? fmt::format("T5−T1 has an error of up to {} µs: T5 is read on the NICs' clocks\n",
                                  FormatReadable(bound))
                    : "");
}

}  // namespace headroom

// Part of human_sections.h: messages, by workload.
#include "report/text/human_sections.h"
#include "report/text/metric_text.h"

namespace headroom {

constexpr size_t kNameWidth = 24;

static std::string Counts(const nlohmann::ordered_json& workloads, const MetricText& metric) {
  std::vector<std::string> header = {"messages",     "offered",      "unfinished",
                                     "goodput Gbps", "slowdown p50", "p99"};
  std::vector<std::string> metrics = {"offered", "unfinished", "goodput_gbps", "slowdown.p50",
                                      "slowdown.p99"};
  if (!metric.SeveralSeeds()) {  // intervals need the space
    header.insert(header.end(), {"p99.9", "Jain's index"});
    metrics.insert(metrics.end(), {"slowdown.p999", "jain"});
  }
  TextTable table('l' + std::string(metrics.size(), 'r'), header);
  for (const auto& [name, unused] : workloads.items()) {
    std::vector<std::string> row = {Shorten(name, kNameWidth)};
    for (const std::string& m : metrics) row.push_back(metric.Cell("messages." + name + '.' + m));
    table.AddRow(row);
  }
  return table.ToString();
}

/// `times`: the summary's name of the quantity, `heading`: the table's name.
static std::string Times(const nlohmann::ordered_json& workloads, const MetricText& metric,
                         const std::string& times, const std::string& heading) {
  std::vector<std::string> statistics = {"mean", "p50", "p90", "p95", "p99", "p999", "max"};
  // Intervals need the room. The largest of all seeds would have none.
  if (metric.SeveralSeeds()) statistics = {"p50", "p90", "p99", "p999"};
  std::vector<std::string> header = {heading};
  for (const std::string& s : statistics) header.push_back(s == "p999" ? "p99.9" : s);
  TextTable table('l' + std::string(statistics.size(), 'r'), header);
  for (const auto& [name, unused] : workloads.items()) {
    std::vector<std::string> row = {Shorten(name, kNameWidth)};
    for (const std::string& s : statistics)
      row.push_back(metric.Cell("messages." + name + '.' + times + '.' + s));
    table.AddRow(row);
  }
  return table.ToString();
}

std::string DescribeMessages(const Scenario&, const nlohmann::ordered_json& summary) {
  const nlohmann::ordered_json& workloads = summary.at("messages");
  if (workloads.empty()) return summary.contains("operations") ? "" : "no workloads\n";
  const MetricText metric(summary);
  std::string out = Times(workloads, metric, "completion_us", "completion time, µs") + '\n' +
                    Times(workloads, metric, "delivery_us", "delivery time, µs") + '\n' +
                    Counts(workloads, metric);
  if (out.find("≥") != std::string::npos) {
    out += "≥: at least this; an unfinished message may raise it\n";
  }
  return out;
}

}  // namespace headroom

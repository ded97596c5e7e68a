// Part of human_sections.h: messages, by workload.
#include <fmt/format.h>

#include "report/text/human_sections.h"
#include "report/text/metric_text.h"

namespace headroom {

constexpr size_t kNameWidth = 24;

/// Messages that were complete at the sender and not delivered. While frames are in flight, some of these may
/// still arrive: the number is an upper bound.
static std::string Lost(const nlohmann::ordered_json& workloads, const MetricText& metric) {
  std::string out;
  const bool in_flight = metric.Number("conservation.in_flight_bytes") > 0;
  for (const auto& [name, unused] : workloads.items()) {
    const std::string at = "messages." + name + '.';
    if (metric.Number(at + "lost") + metric.Number(at + "warmup_lost") == 0) continue;
    out += fmt::format("lost  {}{} of {} messages of {}", in_flight ? "at most " : "",
                       metric.Cell(at + "lost"), metric.Cell(at + "offered"), Shorten(name, kNameWidth));
    if (metric.Number(at + "warmup_lost") > 0)
      out += fmt::format(", and {} of {} in the warm-up", metric.Cell(at + "warmup_lost"),
                         metric.Cell(at + "warmup_offered"));
    out += in_flight ? ": complete at the sender, not delivered\n" : "\n";
  }
  return out;
}

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

/// The share of messages that began after the warm-up, of each workload with messages in both.
static std::string CountedShare(const nlohmann::ordered_json& workloads, const MetricText& metric) {
  std::string out;
  for (const auto& [name, unused] : workloads.items()) {
    const std::string at = "messages." + name + '.';
    out += CountedOf(name, metric.Number(at + "offered"), metric.Number(at + "warmup_offered"),
                     metric.Number(at + "warmup_unfinished"), "messages");
  }
  return out;
}

std::string CountedOf(const std::string& name, double counted, double before, double unfinished,
                      const std::string& what) {
  if (before == 0) return "";
  std::string out = fmt::format("counted  {:.3g} % of {}: {} of {} {}; others began in {}",
                                100 * counted / (counted + before), Shorten(name, kNameWidth),
                                FormatReadable(counted), FormatReadable(counted + before), what,
                                what == "operations" ? "ramp or warm-up" : "the warm-up");
  if (unfinished > 0) out += fmt::format(", {} of them never finished", FormatReadable(unfinished));
  return out + '\n';
}

std::string DescribeMessages(const Scenario&, const nlohmann::ordered_json& summary) {
  const nlohmann::ordered_json& workloads = summary.at("messages");
  if (workloads.empty()) return summary.contains("operations") ? "" : "no workloads\n";
  const MetricText metric(summary);
  std::string out = Times(workloads, metric, "completion_us", "completion time, µs") + '\n' +
                    Times(workloads, metric, "delivery_us", "delivery time, µs") + '\n' +
                    Counts(workloads, metric) + Lost(workloads, metric) + CountedShare(workloads, metric);
  if (out.find("≥") != std::string::npos) {
    out += "≥: at least this; an unfinished message may raise it\n";
  }
  return out;
}

}  // namespace headroom

// Part of human_sections.h: operations of services, and the services.
#include <algorithm>

#include "protocol/core_costs.h"
#include "report/text/human_sections.h"
#include "report/text/metric_text.h"
#include "workload/operation.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

struct OperationRow {
  std::string label, at;  ///< at: the path of its metrics, with a final dot
};

/// The kinds of operations that a workload offered; both together if it offered both.
std::vector<OperationRow> OperationRows(const ordered_json& summary) {
  std::vector<OperationRow> rows;
  const MetricText metric(summary);
  for (const auto& [workload, kinds] : summary.at("operations").items()) {
    std::vector<OperationRow> of_workload;
    for (const auto& [kind, unused] : kinds.items()) {
      const std::string at = "operations." + workload + '.' + kind + '.';
      const bool any = metric.Number(at + "offered") + metric.Number(at + "ramp_offered") > 0;
      if (kind != "all" && any) of_workload.push_back({Shorten(workload, 18) + ' ' + kind, at});
      if (kind == "all" && of_workload.size() != 1)
        of_workload.push_back({Shorten(workload, 18) + (any ? " all" : ""), at});
    }
    rows.insert(rows.end(), of_workload.begin(), of_workload.end());
  }
  return rows;
}

struct MetricColumn {
  std::string header, path;
};

std::string TableOf(const ordered_json& summary, const std::string& name,
                    const std::vector<OperationRow>& rows, const std::vector<MetricColumn>& columns) {
  const MetricText metric(summary);
  std::vector<std::string> header = {name};
  for (const MetricColumn& c : columns) header.push_back(c.header);
  TextTable table('l' + std::string(columns.size(), 'r'), header);
  for (const OperationRow& row : rows) {
    std::vector<std::string> cells = {row.label};
    for (const MetricColumn& c : columns) cells.push_back(metric.Cell(row.at + c.path));
    table.AddRow(std::move(cells));
  }
  return table.ToString();
}

/// The parts of the mean operation's time: one line per workload, with the parts that any workload has.
std::string PartsText(const ordered_json& summary) {
  const MetricText metric(summary);
  std::vector<OperationRow> rows;
  for (const auto& [workload, kinds] : summary.at("operations").items()) {
    if (kinds.at("all").contains("parts_us") && metric.Number("operations." + workload + ".all.finished") > 0)
      rows.push_back({Shorten(workload, 12), "operations." + workload + ".all.parts_us."});
  }
  std::vector<MetricColumn> columns;
  for (size_t i = 0; i < kOperationParts; ++i) {
    const std::string part = OperationPartName(static_cast<OperationPart>(i));
    std::string header = part;
    std::replace(header.begin(), header.end(), '_', ' ');
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const auto& row) { return metric.Number(row.at + part) > 0; }))
      columns.push_back({header, part});
  }
  if (rows.empty()) return "";
  // All parts, or parts with intervals, would be wider than a screen, so the smallest are printed together.
  constexpr size_t kMost = 8;
  std::vector<std::string> least;
  const auto most_of = [&](const MetricColumn& c) {
    double most = 0;
    for (const OperationRow& row : rows) most = std::max(most, metric.Number(row.at + c.path));
    return most;
  };
  while (columns.size() + (least.empty() ? 0 : 1) > kMost) {
    const auto at = std::ranges::min_element(columns, {}, most_of);
    least.push_back(at->path);
    columns.erase(at);
  }
  std::vector<std::string> header = {"mean in, µs"};
  for (const MetricColumn& c : columns) header.push_back(c.header);
  if (!least.empty()) header.push_back("the rest");
  TextTable table('l' + std::string(header.size() - 1, 'r'), header);
  for (const OperationRow& row : rows) {
    std::vector<std::string> cells = {row.label};
    for (const MetricColumn& c : columns) cells.push_back(FormatReadable(metric.Number(row.at + c.path)));
    double rest = 0;
    for (const std::string& part : least) rest += metric.Number(row.at + part);
    if (!least.empty()) cells.push_back(FormatReadable(rest));
    table.AddRow(std::move(cells));
  }
  return '\n' + table.ToString();
}

/// The results of services with a back leg.
std::string StorageText(const ordered_json& summary) {
  const MetricText metric(summary);
  TextTable table("lrrrrrrr", {"storage", "appends", "appended", "seals", "refused", "repeated", "hedged",
                               "reconstructed"});
  bool any = false;
  for (const auto& [name, service] : summary.at("services").items()) {
    if (!service.contains("appends")) continue;
    any = true;
    const std::string at = "services." + name + '.';
    table.AddRow({Shorten(name, 24), metric.Cell(at + "appends"),
                  FormatBytes(metric.Number(at + "appended_bytes")), metric.Cell(at + "seals"),
                  metric.Cell(at + "refused"), metric.Cell(at + "repeated"), metric.Cell(at + "hedges"),
                  metric.Cell(at + "reconstructed")});
  }
  return any ? table.ToString() : "";
}

std::string TcpText(const ordered_json& summary) {
  const MetricText metric(summary);
  TextTable table("lrrrrr", {"over TCP", "connections", "lost", "sent", "segments", "sent again"});
  bool any = false;
  for (const auto& [name, service] : summary.at("services").items()) {
    if (!service.contains("tcp")) continue;
    any = true;
    const std::string at = "services." + name + ".tcp.";
    table.AddRow({Shorten(name, 24), metric.Cell(at + "connections"), metric.Cell(at + "losses"),
                  FormatBytes(metric.Number(at + "bytes")), metric.Cell(at + "segments"),
                  metric.Cell(at + "retransmitted")});
  }
  return any ? table.ToString() : "";
}

/// The results of services of keys.
std::string KeysText(const ordered_json& summary) {
  const MetricText metric(summary);
  TextTable table("lrrrrrrr", {"keys", "hits", "misses", "READs", "asked again", "wrong", "busiest process",
                               "busiest to idlest"});
  bool any = false;
  for (const auto& [name, service] : summary.at("services").items()) {
    if (!service.contains("hits")) continue;
    any = true;
    const std::string at = "services." + name + '.';
    double most = 0;
    for (const auto& [process, unused] : service.at("processes").items())
      most = std::max(most, metric.Number(at + "processes." + process + ".utilisation"));
    table.AddRow({Shorten(name, 24), metric.Cell(at + "hits"), metric.Cell(at + "misses"),
                  metric.Cell(at + "reads"), metric.Cell(at + "retried"), metric.Cell(at + "wrong"),
                  fmt::format("{:.1f} %", most * 100), metric.Cell(at + "busiest_to_idlest")});
  }
  return any ? table.ToString() : "";
}

/// The results of services of connections, and their costs.
std::string ConnectionsText(const ordered_json& summary) {
  const MetricText metric(summary);
  TextTable table("lrrrrrrrr", {"connections", "number", "queue pairs", "SENDs", "WRITEs", "READs",
                                "misdelivered", "memory", "cores"});
  bool any = false;
  for (const auto& [name, service] : summary.at("services").items()) {
    if (!service.contains("virtual_connections")) continue;
    any = true;
    const std::string at = "services." + name + '.';
    table.AddRow({Shorten(name, 24), metric.Cell(at + "virtual_connections"), metric.Cell(at + "queue_pairs"),
                  metric.Cell(at + "sends"), metric.Cell(at + "writes"), metric.Cell(at + "reads"),
                  metric.Cell(at + "misdelivered"), FormatBytes(metric.Number(at + "memory_bytes.all")),
                  FormatReadable(metric.Number(at + "cpu_cores.all"))});
  }
  return any ? table.ToString() : "";
}

/// The work of a core, unless it is only RDMA.
std::string CoreWorkText(const MetricText& metric, const std::string& host, const std::string& core) {
  std::string text = "      ";
  double others = 0;
  for (size_t i = 0; i < kCoreWorks; ++i) {
    const auto work = static_cast<CoreWork>(i);
    const double share = metric.Number(fmt::format("cores.{}.{}.{}", host, CoreWorkName(work), core));
    if (work != CoreWork::rdma) others += share;
    text += fmt::format("{} {} {:.1f} %", i == 0 ? "" : ",", CoreWorkName(work), share * 100);
  }
  return others > 0 ? text + '\n' : "";
}

struct BusiestCore {
  std::string host, core;
  double share = 0;
};

/// The busiest of the cores under `cores.HOST.KIND`.
BusiestCore Busiest(const ordered_json& summary, const char* kind) {
  const MetricText metric(summary);
  BusiestCore busiest;
  for (const auto& [host, of] : summary.at("cores").items()) {
    if (!of.contains(kind)) continue;
    for (const auto& [core, unused] : of.at(kind).items()) {
      const double share = metric.Number(fmt::format("cores.{}.{}.{}", host, kind, core));
      if (share > busiest.share) busiest = {host, core, share};
    }
  }
  return busiest;
}

}  // namespace

std::string DescribeOperations(const Scenario&, const ordered_json& summary) {
  if (!summary.contains("operations") || summary.at("operations").empty()) return "";
  const std::vector<OperationRow> rows = OperationRows(summary);
  // Disks reach some I/Os per second, keys and connections usually a million times as many.
  const auto of_millions = [&](const OperationRow& row) {
    return FindMetric(summary, row.at + "mops") != nullptr;
  };
  std::vector<MetricColumn> latency, counts;
  if (!std::ranges::all_of(rows, of_millions)) counts.push_back({"IOPS", "iops"});
  if (std::ranges::any_of(rows, of_millions)) counts.push_back({"Mops", "mops"});
  counts.insert(counts.end(), {{"Gbps", "gbps"}, {"offered", "offered"}});
  for (const char* s : {"mean", "p50", "p90", "p95", "p99", "p999", "max"}) {
    const std::string statistic = s;
    const bool narrow = statistic == "p50" || statistic == "p90" || statistic == "p99" || statistic == "p999";
    if (MetricText(summary).SeveralSeeds() && !narrow) continue;  // intervals need the space
    latency.push_back({statistic == "p999" ? "p99.9" : statistic, "latency_us." + statistic});
  }
  for (const char* count : {"unfinished", "failed", "corrupt"}) counts.push_back({count, count});
  if (!MetricText(summary).SeveralSeeds()) counts.push_back({"retries", "retries"});
  std::string out = TableOf(summary, "latency, µs", rows, latency) + '\n' +
                    TableOf(summary, "operations", rows, counts) + PartsText(summary);
  if (out.find("≥") != std::string::npos) out += "≥: at least this; an unfinished operation may raise it\n";
  const MetricText metric(summary);
  for (const auto& [workload, unused] : summary.at("operations").items()) {
    const std::string at = "operations." + workload + ".all.";
    out += CountedOf(workload, metric.Number(at + "offered"), metric.Number(at + "ramp_offered"), 0,
                     "operations");
  }
  if (std::ranges::any_of(
          rows, [&](const OperationRow& row) { return metric.Number(row.at + "latency_us.error") > 0; }))
    out += "percentiles have an error of at most 1/256: there were more operations than kept one by one\n";
  return out;
}

std::string DescribeServices(const Scenario&, const ordered_json& summary) {
  if (!summary.contains("services")) return "";
  const MetricText metric(summary);
  TextTable table("lrrrrrr", {"services", "connections", "lost", "wrong CRCs", "waits for credit", "at disks",
                              "most registered"});
  bool any = false;
  for (const auto& [name, service] : summary.at("services").items()) {
    if (!service.contains("connections")) continue;  // the service has neither keys nor connections
    any = true;
    const std::string at = "services." + name + '.';
    table.AddRow({Shorten(name, 24), metric.Cell(at + "connections"), metric.Cell(at + "losses"),
                  metric.Cell(at + "corrupt"), metric.Cell(at + "starved"), metric.Cell(at + "executed"),
                  FormatBytes(metric.Number(at + "peak_registered_bytes"))});
  }
  std::string out = (any ? table.ToString() : "") + StorageText(summary) + TcpText(summary) +
                    KeysText(summary) + ConnectionsText(summary);
  const auto [host, core, share] = Busiest(summary, "utilisation");
  if (share > 0)
    out += fmt::format("cores  the busiest for services is {} of {}, {:.1f} % of the time\n{}", core, host,
                       share * 100, CoreWorkText(metric, host, core));
  return out;
}

std::string DescribePosting(const Scenario&, const ordered_json& summary) {
  if (!summary.contains("cores")) return "";
  const auto [host, process, share] = Busiest(summary, "posting");
  if (share == 0) return "";
  return fmt::format("cores  the busiest posting loop is {} of {}, {:.1f} % of the time\n", process, host,
                     share * 100);
}

std::string DescribeFull(const Scenario&, const ordered_json& summary) {
  const auto full = summary.find("full");
  if (full == summary.end()) return "";
  TextTable table("lllrr", {"full", "resource", "the fullest", "% of the time", "places"});
  for (const ordered_json& one : *full)
    table.AddRow({Shorten(one.at("workload"), 24), one.at("resource"), Shorten(one.at("at"), 24),
                  FormatGrouped(100 * one.at("share").get<double>(), 1), one.at("places").dump()});
  return table.ToString();
}

std::string DescribeHistories(const Scenario&, const ordered_json& summary) {
  const ordered_json* const ok = FindMetric(summary, "histories.ok");
  if (ok == nullptr) return "";
  const MetricText metric(summary);
  std::string of, right;
  const auto add = [](std::string& to, const std::string& more) { to += to.empty() ? more : ", " + more; };
  const bool keys = metric.Number("histories.keys") > 0;
  if (!keys || metric.Number("histories.blocks") > 0) {
    add(of, fmt::format("{} blocks, {} appends", metric.Cell("histories.blocks"),
                        metric.Cell("histories.appends")));
    add(right, "as one correct disk each");
  }
  if (keys) {
    add(of, metric.Cell("histories.keys") + " keys");
    add(right, "every GET returned the last PUT, or missed");
  }
  std::string out =
      fmt::format("judged {} operations on {}: {}\n", metric.Cell("histories.operations"), of,
                  ok->get<bool>() ? right : metric.Cell("histories.violations") + " VIOLATIONS");
  if (metric.Number("histories.left_out") > 0)
    out += fmt::format("       {} operations left out, {} blocks written in part\n",
                       metric.Cell("histories.left_out"), metric.Cell("histories.blocks_in_part"));
  return out;
}

}  // namespace headroom

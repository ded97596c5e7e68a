#include "cli/show/fio_report.h"

#include <fmt/format.h>

#include <cmath>

#include <algorithm>
#include <stdexcept>

#include "protocol/storage/storage_parameters.h"
#include "report/metric_path.h"
#include "report/result.h"
#include "report/text/text_table.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

double FioContext::CpuPercent(const FioJob& job) const {
  double sum = 0;
  for (const NodeId client : Io(job).from) {
    const std::string& host = scenario.topology.nodes[client].name;
    if (!job.host.empty() && host != job.host) continue;
    const auto* cores = FindMetric(summary, "cores." + host + ".utilisation");
    if (cores == nullptr) continue;
    for (const auto& [core, share] : cores->items()) sum += share.is_number() ? share.get<double>() : 0;
  }
  return job.clients > 0 ? 100 * sum / static_cast<double>(job.clients) : 0;
}

bool FioContext::InKernel(const FioJob& job) const {
  return scenario.services[Io(job).service].As<StorageParameters>().InKernel();
}

double FioShare(uint64_t part, uint64_t total, double least) {
  if (part == 0 || total == 0) return 0;
  return std::max(least, 100 * static_cast<double>(part) / static_cast<double>(total));
}

namespace {

std::vector<std::string> IoClients(const Scenario& scenario) {
  std::vector<std::string> clients;
  for (const WorkloadParameters& w : scenario.workloads) {
    const auto* const io = w.arrivals.Find<IoArrivals>();
    if (io == nullptr) continue;
    for (const NodeId host : io->from) {
      const std::string& name = scenario.topology.nodes[host].name;
      if (std::find(clients.begin(), clients.end(), name) == clients.end()) clients.push_back(name);
    }
  }
  return clients;
}

std::vector<std::string> MatchingClients(const RunFiles& run, const std::string& pattern) {
  const std::vector<std::string> all = IoClients(run.scenario());
  std::vector<std::string> matching;
  for (const std::string& name : all) {
    if (Matches(pattern, name)) matching.push_back(name);
  }
  if (!matching.empty()) return matching;
  const std::string near = Nearest(pattern, all);
  throw std::invalid_argument(
      fmt::format("{}: no host \"{}\" has a disk; {}", run.dir().string(), pattern,
                  near.empty() ? "there are: " + Shorten(Join(all), 200) : "did you mean " + near + "?"));
}

std::string OfAllLines() { return "run the scenario again with observe: {operations: all}"; }

/// Summary numbers over all operations, if only some operations have a line.
std::string ExactText(const nlohmann::ordered_json& summary, const std::string& kept) {
  std::string out = fmt::format("{}; summary.json has for all of them:\n", kept);
  for (const auto& [workload, kinds] : summary.at("operations").items()) {
    if (!kinds.contains("read")) continue;  // a workload of keys has no "read"
    out += workload + ":\n";
    for (const char* kind : {"read", "write"}) {
      const std::string at = "operations." + workload + '.' + kind + '.';
      const auto iops = FindNumber(summary, at + "iops"), gbps = FindNumber(summary, at + "gbps");
      if (!iops || !gbps) continue;
      out += fmt::format("  {}: IOPS={}, BW={:.1f}MiB/s ({:.1f}MB/s)\n", kind, FormatReadable(*iops),
                         *gbps * 1e9 / 8 / (1 << 20), *gbps * 1e9 / 8 / 1e6);
      out += "     lat (usec):";
      const char* separator = " ";
      for (const auto& [path, name] : {std::pair("mean", "avg"),
                                       {"max", "max"},
                                       {"p50", "50.00th"},
                                       {"p90", "90.00th"},
                                       {"p95", "95.00th"},
                                       {"p99", "99.00th"},
                                       {"p999", "99.90th"}}) {
        const auto value = FindNumber(summary, at + "latency_us." + path);
        const bool bound = FindMetric(summary, at + "latency_us.censored." + path) != nullptr;
        if (value) out += fmt::format("{}{}{}{:.2f}", separator, name, bound ? ">=" : "=", *value);
        separator = ", ";
      }
      out += '\n';
    }
  }
  return out + "slat, clat and the rest of fio's report need a line of each operation: " + OfAllLines() +
         '\n';
}

}  // namespace

void ShowIo(const RunFiles& run, const ShowOptions& options, std::ostream& out) {
  const nlohmann::ordered_json summary = ReadSummary(run.dir());
  const std::string none =
      run.dir().string() + ": the run had no I/Os; those of workloads of type io, fio and trace are reported";
  if (!summary.contains("operations") || summary.at("operations").empty()) throw ResultError(none);
  const Scenario& scenario = run.scenario();
  if (IoClients(scenario).empty()) throw ResultError(none + ", operations on keys by the table \"kv\"");
  const std::vector<std::string> hosts =
      options.node ? MatchingClients(run, *options.node) : std::vector<std::string>();
  if (const uint32_t one_in = scenario.observe.operations.one_in; one_in != 1) {
    const std::string kept = one_in == 0
                                 ? "operations.csv has no line of an operation"
                                 : fmt::format("operations.csv has a line of one in {} operations", one_in);
    if (options.node || options.json)
      throw ResultError(fmt::format("{}: {}; {}", run.dir().string(), kept, OfAllLines()));
    out << ExactText(summary, kept);
    return;
  }
  const Time end(std::llround(summary.value("sim_time_us", 0.0) * 1e6));
  std::vector<FioJob> jobs =
      FioJobs(run.dir() / "operations.csv", scenario, end, options.node.has_value(), hosts);
  if (options.nonzero)
    std::erase_if(jobs, [](const FioJob& job) { return job.ios() + job.failed + job.corrupt == 0; });
  const FioContext context{scenario, summary};
  if (options.json) {
    out << FioJson(jobs, context).dump(2) << '\n';
  } else {
    out << FioText(jobs, context);
  }
}

}  // namespace headroom

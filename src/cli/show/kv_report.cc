#include "cli/show/kv_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "files/staged_directory.h"
#include "report/csv/operation_lines.h"
#include "report/metric_path.h"
#include "report/result.h"
#include "report/text/text_table.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"
#include "workload/io_span.h"
#include "workload/key_value_arrivals.h"

namespace headroom {

namespace {

using nlohmann::ordered_json;

constexpr std::pair<OperationKind, const char*> kGroups[] = {
    {OperationKind::get, "READ"},
    {OperationKind::put, "UPDATE"},
    {OperationKind::insert, "INSERT"},
    {OperationKind::read_modify_write, "READ-MODIFY-WRITE"}};

constexpr std::pair<const char*, int> kQuantiles[] = {{"50thPercentileLatency(us)", 500},
                                                      {"95thPercentileLatency(us)", 950},
                                                      {"99thPercentileLatency(us)", 990}};

/// A line of the report.
struct Measurement {
  std::string group, name;
  ordered_json value;
  bool at_least = false;  ///< unfinished operations may raise the value
};

struct Section {
  std::string workload, host, note;
  std::vector<Measurement> lines;
};

/// The numbers of one kind of operation.
struct Group {
  std::vector<Time> ok, failed;
  uint64_t errors = 0, wrong = 0;
  uint64_t steady = 0;  ///< operations that ended well in the span
};

/// The counts of a workload, in total or for one host.
struct Tally {
  IoSpan span;
  Time begun = kNever, ended;
  uint64_t steady = 0;
  std::map<OperationKind, Group> groups;
};

double Us(Time t) { return static_cast<double>(t.v) / 1e6; }

void AddLatencies(Section& section, const std::string& group, std::vector<Time>& latencies) {
  const auto add = [&](const char* name, ordered_json value) {
    section.lines.push_back({group, name, std::move(value), false});
  };
  add("Operations", latencies.size());
  if (latencies.empty()) return;
  std::ranges::sort(latencies);
  double sum = 0;
  for (const Time t : latencies) sum += Us(t);
  add("AverageLatency(us)", sum / static_cast<double>(latencies.size()));
  add("MinLatency(us)", Us(latencies.front()));
  add("MaxLatency(us)", Us(latencies.back()));
  for (const auto& [name, permille] : kQuantiles)
    add(name, Us(latencies[(latencies.size() * static_cast<size_t>(permille) + 999) / 1000 - 1]));
}

void AddReturns(Section& section, const std::string& group, uint64_t ok, uint64_t errors, uint64_t wrong) {
  for (const auto& [name, count] :
       {std::pair("Return=OK", ok), {"Return=ERROR", errors}, {"Return=UNEXPECTED_STATE", wrong}})
    if (count > 0) section.lines.push_back({group, name, count});
}

/// Key: workload and host; the host is empty if hosts are not separate.
using Tallies = std::map<std::pair<std::string, std::string>, Tally>;

Tallies TalliesOf(const RunFiles& run, bool by_host, const std::set<std::string>& hosts) {
  const Scenario& scenario = run.scenario();
  Tallies tallies;
  std::set<std::string> workloads, all;
  for (const WorkloadParameters& w : scenario.workloads) {
    all.insert(w.name);
    const auto* const keys = w.arrivals.Find<KeyValueArrivals>();
    if (keys == nullptr) continue;
    workloads.insert(w.name);
    for (const NodeId client : keys->from) {
      const std::string& host = scenario.topology.nodes[client].name;
      if (by_host && !hosts.contains(host)) continue;
      Tally& tally = tallies[{w.name, by_host ? host : ""}];
      tally.span = w.arrivals->Span(scenario.warmup, scenario.duration);
      for (const OperationKind kind : w.arrivals->Kinds()) tally.groups[kind];
    }
  }
  const std::filesystem::path file = run.dir() / "operations.csv";
  ForEachOperation(file, [&](const OperationLine& line) {
    const std::string workload(line.workload);
    if (!all.contains(workload))
      throw ResultError(fmt::format("{}: there is no workload {} in resolved.yaml; run the scenario again",
                                    file.string(), workload));
    if (!workloads.contains(workload)) return;
    const auto found = tallies.find({workload, by_host ? std::string(line.client) : ""});
    if (found == tallies.end()) return;
    Tally& tally = found->second;
    tally.begun = std::min(tally.begun, line.start);
    if (!line.Finished()) return;
    tally.ended = std::max(tally.ended, line.completed);
    const bool ok = line.status == OperationStatus::ok;
    const bool steady = ok && tally.span.Counts(line.completed);
    tally.steady += steady;
    tally.groups[line.kind].steady += steady;
    if (line.ramp) return;
    Group& group = tally.groups[line.kind];
    (ok ? group.ok : group.failed).push_back(line.completed - line.start);
    group.errors += line.status == OperationStatus::failed;
    group.wrong += line.status == OperationStatus::corrupt;
  });
  return tallies;
}

std::vector<Section> FromLines(const RunFiles& run, Time end, bool by_host,
                               const std::set<std::string>& hosts) {
  std::vector<Section> sections;
  Tallies tallies = TalliesOf(run, by_host, hosts);
  for (auto& [name, tally] : tallies) {
    Section& section = sections.emplace_back(Section{name.first, name.second, "", {}});
    const Time span = tally.begun == kNever ? Time(0) : tally.span.Length(tally.begun, tally.ended, end);
    section.lines.push_back({"OVERALL", "RunTime(ms)", Us(span) / 1e3});
    section.lines.push_back({"OVERALL", "Throughput(ops/sec)",
                             span.v > 0 ? static_cast<double>(tally.steady) / InSeconds(span) : 0.0});
    for (const auto& [kind, group] : kGroups) {
      const auto found = tally.groups.find(kind);
      if (found == tally.groups.end()) continue;
      Group& g = found->second;
      if (g.ok.empty() && g.failed.empty()) continue;
      AddLatencies(section, group, g.ok);
      AddReturns(section, group, g.ok.size(), g.errors, g.wrong);
      if (!g.failed.empty()) AddLatencies(section, std::string(group) + "-FAILED", g.failed);
    }
  }
  return sections;
}

/// Numbers that exist even without a line for every operation.
Section FromSummary(const ordered_json& summary, const std::string& workload, const IoSpan& span, Time end) {
  Section section{workload, "", "", {}};
  const std::string at = "operations." + workload + '.';
  const double a_second = FindNumber(summary, at + "all.iops").value_or(0);
  const Time ran = std::max(std::min(span.until, end) - span.from, Time(0));
  // With a fixed number of operations, the end of the last operation is unknown.
  if (!span.ends) section.lines.push_back({"OVERALL", "RunTime(ms)", Us(ran) / 1e3});
  section.lines.push_back({"OVERALL", "Throughput(ops/sec)", a_second});
  for (const auto& [kind, group] : kGroups) {
    const std::string of_kind = at + OperationKindName(kind) + '.';
    const auto count = [&](const char* name) {
      return static_cast<uint64_t>(FindNumber(summary, of_kind + name).value_or(0));
    };
    const uint64_t finished = count("finished"), errors = count("failed"), wrong = count("corrupt");
    if (finished == 0) continue;
    section.lines.push_back({group, "Operations", finished});
    for (const auto& [name, metric] : {std::pair("AverageLatency(us)", "mean"),
                                       {"MaxLatency(us)", "max"},
                                       {"50thPercentileLatency(us)", "p50"},
                                       {"95thPercentileLatency(us)", "p95"},
                                       {"99thPercentileLatency(us)", "p99"}}) {
      const auto us = FindNumber(summary, of_kind + "latency_us." + metric);
      const bool at_least = FindMetric(summary, of_kind + "latency_us.censored." + metric) != nullptr;
      if (us) section.lines.push_back({group, name, *us, at_least});
    }
    AddReturns(section, group, finished - errors - wrong, errors, wrong);
  }
  return section;
}

/// A line of redis-benchmark's report; unknown values are null.
struct Test {
  std::string workload, host, name;
  ordered_json requests, rps, avg, min, p50, p95, p99, max;
};

constexpr std::pair<OperationKind, const char*> kTests[] = {{OperationKind::get, "GET"},
                                                            {OperationKind::put, "SET"},
                                                            {OperationKind::insert, "SET, new keys"},
                                                            {OperationKind::read_modify_write, "GET, SET"}};

ordered_json Ms(Time t) { return Us(t) / 1e3; }

std::vector<Test> TestsFromLines(const RunFiles& run, Time end, bool by_host,
                                 const std::set<std::string>& hosts) {
  std::vector<Test> tests;
  Tallies tallies = TalliesOf(run, by_host, hosts);
  for (auto& [name, tally] : tallies) {
    const Time span = tally.begun == kNever ? Time(0) : tally.span.Length(tally.begun, tally.ended, end);
    for (const auto& [kind, title] : kTests) {
      const auto found = tally.groups.find(kind);
      if (found == tally.groups.end() || found->second.ok.empty()) continue;
      std::vector<Time>& ok = found->second.ok;
      std::ranges::sort(ok);
      const auto at = [&](size_t permille) { return Ms(ok[(ok.size() * permille + 999) / 1000 - 1]); };
      double sum = 0;
      for (const Time t : ok) sum += Us(t);
      const double rps = span.v > 0 ? static_cast<double>(found->second.steady) / InSeconds(span) : 0.0;
      tests.push_back({name.first, name.second, title, ok.size(), rps,
                       sum / static_cast<double>(ok.size()) / 1e3, Ms(ok.front()), at(500), at(950), at(990),
                       Ms(ok.back())});
    }
  }
  return tests;
}

std::vector<Test> TestsFromSummary(const Scenario& scenario, const ordered_json& summary) {
  std::vector<Test> tests;
  for (const WorkloadParameters& w : scenario.workloads) {
    if (w.arrivals.Find<KeyValueArrivals>() == nullptr) continue;
    for (const auto& [kind, title] : kTests) {
      const std::string at = "operations." + w.name + '.' + OperationKindName(kind) + '.';
      const double finished = FindNumber(summary, at + "finished").value_or(0);
      if (finished == 0) continue;
      const auto ms = [&](const char* name) {
        const auto us = FindNumber(summary, at + "latency_us." + name);
        return us ? ordered_json(*us / 1e3) : ordered_json();
      };
      tests.push_back({w.name, "", title, static_cast<uint64_t>(finished),
                       FindNumber(summary, at + "iops").value_or(0), ms("mean"), ordered_json(), ms("p50"),
                       ms("p95"), ms("p99"), ms("max")});
    }
  }
  return tests;
}

std::string TextOf(const std::vector<Test>& tests) {
  TextTable table("lllrrrrrrrr",
                  {"workload", "host", "test", "requests", "rps", "avg_latency_ms", "min_latency_ms",
                   "p50_latency_ms", "p95_latency_ms", "p99_latency_ms", "max_latency_ms"});
  const auto number = [](const ordered_json& value, int decimals) {
    return value.is_null() ? std::string("-") : fmt::format("{:.{}f}", value.get<double>(), decimals);
  };
  for (const Test& t : tests) {
    std::vector<std::string> row{t.workload, t.host.empty() ? "all" : t.host, t.name, number(t.requests, 0),
                                 number(t.rps, 2)};
    for (const ordered_json* of : {&t.avg, &t.min, &t.p50, &t.p95, &t.p99, &t.max})
      row.push_back(number(*of, 5));
    table.AddRow(std::move(row));
  }
  return table.ToString();
}

ordered_json JsonOf(const std::vector<Test>& tests, const std::string& note) {
  ordered_json out{{"table", "redis"}};
  if (!note.empty()) out["note"] = note;
  auto& all = out["tests"] = ordered_json::array();
  for (const Test& t : tests) {
    ordered_json one{{"workload", t.workload}};
    if (!t.host.empty()) one["host"] = t.host;
    one.update({{"test", t.name},
                {"requests", t.requests},
                {"rps", t.rps},
                {"avg_latency_ms", t.avg},
                {"min_latency_ms", t.min},
                {"p50_latency_ms", t.p50},
                {"p95_latency_ms", t.p95},
                {"p99_latency_ms", t.p99},
                {"max_latency_ms", t.max}});
    all.push_back(std::move(one));
  }
  return out;
}

std::string TextOf(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections) {
    out += "# workload " + section.workload + (section.host.empty() ? "" : " of " + section.host) + '\n';
    for (const Measurement& m : section.lines) {
      const std::string value =
          m.value.is_number_float() ? fmt::format("{:.3f}", m.value.get<double>()) : m.value.dump();
      out += fmt::format("[{}], {}, {}{}\n", m.group, m.name, m.at_least ? ">=" : "", value);
    }
  }
  return out;
}

/// Measurements in the format of YCSB's exporter of JSON arrays.
ordered_json JsonOf(const std::vector<Section>& sections, const std::string& note) {
  ordered_json out{{"table", "kv"}};
  if (!note.empty()) out["note"] = note;
  auto& all = out["workloads"] = ordered_json::array();
  for (const Section& section : sections) {
    ordered_json one{{"workload", section.workload}};
    if (!section.host.empty()) one["host"] = section.host;
    auto& lines = one["measurements"] = ordered_json::array();
    for (const Measurement& m : section.lines) {
      ordered_json line{{"metric", m.group}, {"measurement", m.name}, {"value", m.value}};
      if (m.at_least) line["at_least"] = true;
      lines.push_back(std::move(line));
    }
    all.push_back(std::move(one));
  }
  return out;
}

std::vector<std::string> KvClients(const Scenario& scenario) {
  std::vector<std::string> clients;
  for (const WorkloadParameters& w : scenario.workloads) {
    const auto* const keys = w.arrivals.Find<KeyValueArrivals>();
    if (keys == nullptr) continue;
    for (const NodeId host : keys->from) {
      const std::string& name = scenario.topology.nodes[host].name;
      if (std::ranges::find(clients, name) == clients.end()) clients.push_back(name);
    }
  }
  return clients;
}

std::set<std::string> MatchingKvClients(const RunFiles& run, const std::string& pattern) {
  const std::vector<std::string> all = KvClients(run.scenario());
  std::set<std::string> matching;
  for (const std::string& name : all)
    if (Matches(pattern, name)) matching.insert(name);
  if (!matching.empty()) return matching;
  const std::string near = Nearest(pattern, all);
  throw std::invalid_argument(
      fmt::format("{}: no host \"{}\" sends requests for keys; {}", run.dir().string(), pattern,
                  near.empty() ? "there are: " + Join(all) : "did you mean " + near + "?"));
}

/// The sections that summary.json has data for.
std::vector<Section> FromSummaryOfAll(const Scenario& scenario, const ordered_json& summary, Time end) {
  std::vector<Section> sections;
  for (const WorkloadParameters& w : scenario.workloads) {
    if (const auto* const keys = w.arrivals.Find<KeyValueArrivals>())
      sections.push_back(
          FromSummary(summary, w.name, w.arrivals->Span(scenario.warmup, scenario.duration), end));
  }
  return sections;
}

/// The data of both reports.
struct KvSource {
  KvSource(const RunFiles& run, const ShowOptions& options) : summary(ReadSummary(run.dir())) {
    const Scenario& scenario = run.scenario();
    if (KvClients(scenario).empty())
      throw ResultError(
          fmt::format("{}: the run had no operations on keys; those of workloads of type kv and ycsb are "
                      "reported",
                      run.dir().string()));
    if (options.node) hosts = MatchingKvClients(run, *options.node);
    end = Time(std::llround(summary.value("sim_time_us", 0.0) * 1e6));
    const uint32_t one_in = scenario.observe.operations.one_in;
    lines = one_in == 1;
    if (lines) return;
    const std::string kept = one_in == 0
                                 ? "operations.csv has no line of an operation"
                                 : fmt::format("operations.csv has a line of one in {} operations", one_in);
    const std::string more = "run the scenario again with observe: {operations: all}";
    if (options.node) throw ResultError(fmt::format("{}: {}; {}", run.dir().string(), kept, more));
    note = kept +
           ": summary.json's numbers of all operations, including failed ones, without the minimum; for the "
           "rest " +
           more;
  }
  ordered_json summary;
  std::set<std::string> hosts;  ///< hosts that match a pattern
  Time end;
  bool lines = true;  ///< every operation has a line
  std::string note;
};

}  // namespace

void ShowRedis(const RunFiles& run, const ShowOptions& options, std::ostream& out) {
  const KvSource of(run, options);
  const std::vector<Test> tests = of.lines ? TestsFromLines(run, of.end, options.node.has_value(), of.hosts)
                                           : TestsFromSummary(run.scenario(), of.summary);
  if (options.json) {
    out << JsonOf(tests, of.note).dump(2) << '\n';
  } else {
    out << TextOf(tests) << (of.note.empty() ? "" : "# " + of.note + '\n');
  }
}

void ShowKv(const RunFiles& run, const ShowOptions& options, std::ostream& out) {
  const KvSource of(run, options);
  std::vector<Section> sections = of.lines ? FromLines(run, of.end, options.node.has_value(), of.hosts)
                                           : FromSummaryOfAll(run.scenario(), of.summary, of.end);
  if (options.nonzero)
    std::erase_if(sections, [](const Section& s) {
      return std::ranges::none_of(s.lines, [](const Measurement& m) { return m.name == "Operations"; });
    });
  if (options.json) {
    out << JsonOf(sections, of.note).dump(2) << '\n';
  } else {
    out << TextOf(sections) << (of.note.empty() ? "" : "# " + of.note + '\n');
  }
}

}  // namespace headroom

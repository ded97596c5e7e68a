#include "report/pooled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "files/staged_directory.h"
#include "report/csv/message_lines.h"
#include "report/csv/operation_lines.h"
#include "report/metric_path.h"
#include "report/percentiles.h"
#include "report/statistics.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

constexpr std::pair<const char*, int> kPercentiles[] = {
    {"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p999", 999}};

/// A message or an operation, and the index of its seed.
struct OfSeed {
  Observed observed;
  size_t seed;
};

using Values = std::vector<Observed>;
using ByPath = ReadValues::ByPath;

constexpr size_t kMostReadValues = 30'000'000;  // of 16 bytes

Time EndOf(const ordered_json& summary) {
  return Time(std::llround(FindNumber(summary, "sim_time_us").value_or(0) * 1e6));
}

size_t Count(const ordered_json& summary, const std::string& path) {
  return static_cast<size_t>(FindNumber(summary, path).value_or(0));
}

/// The messages after the warm-up, by workload, for workloads with a line of each message. `size`: only
/// messages of the class with this largest size; none: all messages.
ByPath MessagesOf(const SeedResult& seed, std::optional<int64_t> size) {
  const Time end = EndOf(seed.summary);
  std::map<std::string, size_t, std::less<>> lines;
  ByPath of;
  ForEachMessage(seed.dir / "messages.csv", [&](const MessageLine& m) {
    const std::string workload(m.workload), at = "messages." + workload + '.';
    size_t& line = lines[workload];
    if (line == 0)
      for (const char* column : {"completion_us", "delivery_us", "slowdown"}) of[at + column];
    // Messages have lines in the order of their starts.
    if (line++ < Count(seed.summary, at + "warmup_offered")) return;
    if (size && (m.bytes > *size || m.bytes <= *size / 2)) return;
    const Time latest = std::max(end, m.start);
    const bool delivered = m.delivered != kNever;
    const Time took = (m.Finished() ? m.completed : latest) - m.start;
    of[at + "completion_us"].push_back({InMicroseconds(took), !m.Finished()});
    if (delivered || !m.Finished())  // a lost message has no delivery time
      of[at + "delivery_us"].push_back(
          {InMicroseconds((delivered ? m.delivered : latest) - m.start), !delivered});
    if (m.ideal > Time(0))
      of[at + "slowdown"].push_back(
          {static_cast<double>(took.v) / static_cast<double>(m.ideal.v), !m.Finished()});
  });
  std::erase_if(of, [&](const auto& each) {
    const std::string workload = each.first.substr(9, each.first.rfind('.') - 9);
    const std::string at = "messages." + workload + '.';
    return lines[workload] !=
           Count(seed.summary, at + "offered") + Count(seed.summary, at + "warmup_offered");
  });
  return of;
}

/// The operations after the warm-up, by workload and kind, for kinds with a line of each operation.
void AddOperations(const SeedResult& seed, ByPath& of) {
  const Time end = EndOf(seed.summary);
  ForEachOperation(seed.dir / "operations.csv", [&](const OperationLine& line) {
    if (line.ramp) return;
    const Time took = (line.Finished() ? line.completed : std::max(end, line.start)) - line.start;
    for (const char* kind : {OperationKindName(line.kind), "all"})
      of[fmt::format("operations.{}.{}.latency_us", line.workload, kind)].push_back(
          {InMicroseconds(took), !line.Finished()});
  });
  std::erase_if(of, [&](const auto& each) {
    const std::string offered = each.first.substr(0, each.first.rfind('.')) + ".offered";
    return each.first.starts_with("operations.") && each.second.size() != Count(seed.summary, offered);
  });
}

/// A seed with percentiles in buckets has more values than should be in memory.
ByPath ValuesOf(const SeedResult& seed) {
  if (seed.summary.value("percentiles", "") == "log_buckets") return {};
  ByPath of = MessagesOf(seed, {});
  if (seed.summary.contains("operations")) AddOperations(seed, of);
  return of;
}

/// The jackknife's standard error, from the values computed without each seed in turn.
double Jackknife(const std::vector<double>& left_out) {
  if (std::ranges::min(left_out) == std::ranges::max(left_out)) return 0;
  const auto n = static_cast<double>(left_out.size());
  const double mean = std::accumulate(left_out.begin(), left_out.end(), 0.0) / n;
  double squares = 0;
  for (const double x : left_out) squares += (x - mean) * (x - mean);
  return std::sqrt((n - 1) / n * squares);
}

/// Logarithms of an entry's percentiles without each seed in turn.
std::vector<double> LogarithmsOf(const ordered_json& entry) {
  std::vector<double> out;
  for (const auto& value : entry.at("left_out")) out.push_back(std::log(value.get<double>()));
  return out;
}

double HalfOf(const std::vector<double>& logarithms, double error = kError) {
  return StudentT(logarithms.size() - 1, error) * Jackknife(logarithms);
}

/// The values of all seeds, sorted.
std::vector<OfSeed> Together(const std::vector<Values>& seeds) {
  std::vector<OfSeed> all;
  for (size_t i = 0; i < seeds.size(); ++i) {
    for (const Observed& o : seeds[i]) all.push_back({o, i});
  }
  std::sort(all.begin(), all.end(), [](const OfSeed& a, const OfSeed& b) {
    return a.observed.value != b.observed.value ? a.observed.value < b.observed.value
                                                : a.observed.censored < b.observed.censored;
  });
  return all;
}

/// The percentiles of all but one seed, in the order of kPercentiles.
std::vector<double> Without(size_t seed, size_t its_count, const std::vector<OfSeed>& all) {
  std::vector<double> out;
  size_t rank = 0;
  for (const OfSeed& each : all) {
    if (each.seed == seed) continue;
    ++rank;
    while (out.size() < std::size(kPercentiles) &&
           rank == RankOf(all.size() - its_count, kPercentiles[out.size()].second))
      out.push_back(each.observed.value);
  }
  return out;
}

/// {p50: entry, …}; empty if no percentile has an entry.
ordered_json Entries(const std::vector<Values>& seeds) {
  auto out = ordered_json::object();
  if (seeds.size() < 2 || std::ranges::any_of(seeds, [](const Values& v) { return v.empty(); })) return out;
  const std::vector<OfSeed> all = Together(seeds);
  if (all.front().observed.value <= 0) return out;
  std::vector<std::vector<double>> without;
  for (size_t i = 0; i < seeds.size(); ++i) without.push_back(Without(i, seeds[i].size(), all));
  for (size_t p = 0; p < std::size(kPercentiles); ++p) {
    const size_t rank = RankOf(all.size(), kPercentiles[p].second);
    const double value = all[rank - 1].observed.value;
    ordered_json entry = {{"value", value}, {"low", 0}, {"high", 0}, {"left_out", ordered_json::array()}};
    for (const auto& each : without) entry["left_out"].push_back(each[p]);
    const double half = HalfOf(LogarithmsOf(entry));
    entry["low"] = value * std::exp(-half);
    entry["high"] = value * std::exp(half);
    const auto is_bound = [](const OfSeed& each) { return each.observed.censored; };
    if (std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rank), is_bound))
      entry["censored"] = true;
    out[kPercentiles[p].first] = std::move(entry);
  }
  return out;
}

/// The place of a path below `root`.
ordered_json& At(ordered_json& root, const std::string& path) {
  ordered_json* at = &root;
  for (size_t from = 0; from <= path.size();) {
    const size_t dot = std::min(path.find('.', from), path.size());
    at = &(*at)[path.substr(from, dot - from)];
    from = dot + 1;
  }
  return *at;
}

/// messages.W.slowdown.by_size."64KiB".p99
struct Percentile {
  std::string column;  ///< "messages.W.slowdown"
  std::string size;    ///< may be empty
  std::string name;
  int permille = 0;
};

/// None if the metric is not a percentile of messages or operations.
std::optional<Percentile> ParsePercentile(const std::string& metric) {
  constexpr std::string_view kBySize = ".by_size.";
  const size_t at = metric.find(kBySize), last = metric.rfind('.');
  if (last == std::string::npos) return std::nullopt;
  Percentile of{metric.substr(0, std::min(at, last)), "", metric.substr(last + 1)};
  if (at < last && last > at + kBySize.size())
    of.size = metric.substr(at + kBySize.size(), last - at - kBySize.size());
  const bool messages = of.column.starts_with("messages.");
  if (!messages && (!of.column.starts_with("operations.") || at != std::string::npos)) return std::nullopt;
  const std::string column = of.column.substr(of.column.rfind('.') + 1);
  if (messages ? column != "completion_us" && column != "delivery_us" && column != "slowdown"
               : column != "latency_us")
    return std::nullopt;
  for (const auto& [name, permille] : kPercentiles)
    if (of.name == name) of.permille = permille;
  if (of.permille == 0) return std::nullopt;
  if (of.size.size() > 2 && of.size.starts_with('"') && of.size.ends_with('"'))
    of.size = of.size.substr(1, of.size.size() - 2);
  return of;
}

int64_t BytesOf(const std::string& metric, const std::string& size) {
  Node text;
  text.kind = Node::Kind::scalar;
  text.text = size;
  try {
    return ParseSize(text, Bytes(1)).v;
  } catch (const ScenarioError&) {
    throw ResultError(
        fmt::format("{}: \"{}\" is not a size; name a message class by its largest message size, such as "
                    "by_size.\"64KiB\"",
                    metric, size));
  }
}

/// The values that a percentile is of; none without a line of each message.
std::optional<Values> ValuesOf(const SeedResult& run, const std::string& metric, const Percentile& of,
                               ReadValues& read) {
  const bool messages = of.column.starts_with("messages.");
  const bool buckets = run.summary.value("percentiles", "") == "log_buckets";
  if ((of.size.empty() && buckets) ||
      !std::filesystem::exists(run.dir / (messages ? "messages.csv" : "operations.csv")))
    return std::nullopt;
  const std::pair key(run.dir.string(), messages ? of.size : "operations");
  if (!read.of_run.contains(key)) {
    ByPath found;
    if (messages) {
      found = MessagesOf(run, of.size.empty() ? std::nullopt : std::optional(BytesOf(metric, of.size)));
    } else {
      AddOperations(run, found);
    }
    if (read.values > kMostReadValues) read = {};
    for (const auto& [path, values] : found) read.values += values.size();
    read.of_run[key] = std::move(found);
  }
  const ByPath& found = read.of_run[key];
  const auto at = found.find(of.column);
  return at == found.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

void AddPooled(ordered_json& summary, const std::vector<SeedResult>& seeds) {
  std::map<std::string, std::vector<Values>> of_seeds;
  for (const SeedResult& seed : seeds) {
    for (auto& [path, values] : ValuesOf(seed)) of_seeds[path].push_back(std::move(values));
  }
  ordered_json& pooled = summary["seeds"]["pooled"] = ordered_json::object();
  for (const auto& [path, values] : of_seeds) {
    if (values.size() < seeds.size()) continue;
    if (ordered_json entries = Entries(values); !entries.empty()) At(pooled, path) = std::move(entries);
  }
}

ordered_json PooledPercentile(const std::vector<SeedResult>& runs, const std::string& metric,
                              ReadValues& read) {
  const std::optional<Percentile> of = ParsePercentile(metric);
  if (!of) return nullptr;
  std::vector<Values> values;
  for (const SeedResult& run : runs) {
    auto found = ValuesOf(run, metric, *of, read);
    if (!found) return nullptr;
    values.push_back(std::move(*found));
  }
  if (runs.size() > 1) return Entries(values).value(of->name, ordered_json::object());
  SortObserved(values[0]);
  const auto found = NearestRank(values[0], of->permille);
  ordered_json entry = ordered_json::object();
  if (found) entry["value"] = found->value;
  if (found && found->censored) entry["censored"] = true;
  return entry;
}

bool AddBySize(ordered_json& summary, const std::vector<SeedResult>& seeds, const std::string& metric) {
  const std::optional<Percentile> of = ParsePercentile(metric);
  if (!of || of->size.empty() || !FindMetric(summary, of->column)) return false;
  double sum = 0;
  bool censored = false;
  ReadValues read;
  for (const SeedResult& seed : seeds) {
    const ordered_json entry = PooledPercentile({seed}, metric, read);
    if (!entry.contains("value"))
      throw ResultError(
          fmt::format("{}: {} has no messages of this size, or not a line of each; run the scenario again "
                      "with observe: {{messages: all}}",
                      metric, (seed.dir / "messages.csv").string()));
    sum += entry["value"].get<double>();
    censored |= entry.contains("censored");
  }
  const size_t dot = metric.rfind('.');
  At(summary, metric) = sum / static_cast<double>(seeds.size());
  if (censored) At(summary, metric.substr(0, dot) + ".censored" + metric.substr(dot)) = true;
  if (seeds.size() < 2) return true;
  if (ordered_json entry = PooledPercentile(seeds, metric, read); !entry.empty())
    At(summary, "seeds.pooled." + metric) = std::move(entry);
  return true;
}

Effect PooledChange(const ordered_json& a, const ordered_json& b, bool paired, double error) {
  const double centre = std::log(b.at("value").get<double>() / a.at("value").get<double>());
  const std::vector<double> in_a = LogarithmsOf(a);
  std::vector<double> in_b = LogarithmsOf(b);
  if (!paired) return {centre, std::hypot(HalfOf(in_a, error), HalfOf(in_b, error)), true};
  for (size_t i = 0; i < in_b.size(); ++i) in_b[i] -= in_a[i];
  return {centre, HalfOf(in_b, error), true};
}

Effect PooledChangeFromOneRun(double value, const ordered_json& b) {
  const std::vector<double> logarithms = LogarithmsOf(b);
  const double one_more = std::sqrt(static_cast<double>(logarithms.size()) + 1);
  return {std::log(b.at("value").get<double>() / value), HalfOf(logarithms) * one_more, true};
}

}  // namespace headroom

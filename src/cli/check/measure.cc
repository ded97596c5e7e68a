#include "cli/check/measure.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "cli/held_signals.h"
#include "cli/quantity_text.h"
#include "cli/report_errors.h"
#include "report/metric_path.h"
#include "report/summary/summary.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

/// A median and a p99 of this many do not change much with more.
constexpr double kEnough = 1000;

struct Trial {
  Scenario scenario;
  std::string load;
};

/// Only this workload remains. Services stay as they are, since others may use their hosts and memory.
Trial AloneIn(const Scenario& all, size_t workload) {
  Trial trial{all, ""};
  Scenario& s = trial.scenario;
  s.workloads = {all.workloads[workload]};
  s.faults.clear();
  s.results = Results::memory;
  s.observe = Observations{};
  s.observe.causes = s.observe.parts = false;
  Arrivals& arrivals = *s.workloads[0].arrivals.operator->();
  HostView view;
  view.topology = &s.topology;
  view.duration = s.duration;
  view.warmup = s.warmup;
  const bool offers = arrivals.PerSecond(view).has_value();
  if (!arrivals.CloseLoop()) {
    trial.load = arrivals.OnVerbs() ? "closed loop" : "as configured";
    return trial;
  }
  const auto depth = arrivals.Depth();
  trial.load = depth ? fmt::format("closed loop, {:.0f} open{}", *depth, offers ? " (rate left out)" : "")
                     : "closed loop";
  return trial;
}

/// Whether counting may begin after the start: the workload continues by itself.
bool Continues(const WorkloadParameters& w) {
  return w.arrivals->AsBursts() == nullptr &&
         (OffersOperations(w) || w.arrivals->OnVerbs() || w.arrivals->AsLoop() != nullptr ||
          w.arrivals->AsLoad() != nullptr);
}

/// Runs it in this process and writes its summary to the pipe; nothing if the run is not over at `until`.
/// Returns the exit code.
int RunTo(int pipe, const Scenario& scenario, Clock::time_point until) {
  RunOptions options;
  options.check = false;
  options.progress_every = 1 << 14;
  options.on_progress = [&](const Progress&) { return Clock::now() < until; };
  const RunRecord record = Run(scenario, options);
  if (record.status == RunStatus::interrupted) return 0;
  const std::string text = Summarise(scenario, record, RunCost{}).dump();
  std::FILE* const file = fdopen(pipe, "w");
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written ? 0 : 1;
}

/// Runs it in a child, since a process has one run. Null if the run is not over at `until`.
std::optional<Json> RunUntil(const Scenario& scenario, Clock::time_point until) {
  if (Clock::now() >= until) return std::nullopt;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  FlushOutput();
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    BecomeChildOf(parent);
    close(ends[0]);
    _exit(ReportingErrors([&] { return RunTo(ends[1], scenario, until); }));
  }
  close(ends[1]);
  std::string text;
  std::array<char, 1 << 16> some{};
  for (ssize_t n = 0; (n = read(ends[0], some.data(), some.size())) != 0;) {
    if (n > 0) text.append(some.data(), static_cast<size_t>(n));
    if (n < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("a run of workload " + scenario.workloads[0].name + " failed");
  if (text.empty()) return std::nullopt;
  return Json::parse(text);
}

Json MetricOf(const Json& of, const char* path) {
  const Json* const found = FindMetric(of, path);
  return found == nullptr ? Json() : *found;
}

/// The results of a run with one workload.
Json ResultsOf(const Scenario& s, const Json& summary) {
  const std::string& name = s.workloads[0].name;
  Json one;
  one["status"] = summary.at("status");
  one["simulated_us"] = summary.at("sim_time_us");
  one["counted_from_us"] = InMicroseconds(s.warmup);
  if (OffersOperations(s.workloads[0])) {
    const Json& all = summary.at("operations").at(name).at("all");
    one["counted"] = all.at("finished");
    one["per_second"] = all.at("iops");
    one["gbps"] = all.at("gbps");
    one["latency_us"] = {{"p50", MetricOf(all, "latency_us.p50")}, {"p99", MetricOf(all, "latency_us.p99")}};
  } else {
    const Json& all = summary.at("messages").at(name);
    one["counted"] = all.at("finished");
    const double seconds = (summary.at("sim_time_us").get<double>() - InMicroseconds(s.warmup)) / 1e6;
    one["per_second"] = seconds > 0 ? Json(all.at("finished").get<double>() / seconds) : Json();
    one["gbps"] = MetricOf(all, "goodput_gbps");
    one["latency_us"] = {{"p50", MetricOf(all, "completion_us.p50")},
                         {"p99", MetricOf(all, "completion_us.p99")}};
  }
  one["full"] = Json::array();
  if (!summary.contains("full")) return one;
  for (Json full : summary.at("full")) {
    full.erase("workload");
    one["full"].push_back(std::move(full));
  }
  return one;
}

/// Longer runs until enough is counted. `until`: the end of its budget.
Json MeasureOne(const Scenario& all, size_t workload, Clock::time_point until) {
  Trial trial = AloneIn(all, workload);
  Json one{{"workload", all.workloads[workload].name}, {"load", trial.load}};
  for (const int64_t part : {16, 4, 1}) {
    trial.scenario.duration = Time(all.duration.v / part);
    if (Continues(all.workloads[workload])) trial.scenario.warmup = Time(trial.scenario.duration.v / 4);
    const std::optional<Json> summary = RunUntil(trial.scenario, until);
    if (!summary) {
      one["status"] = "budget exhausted";
      return one;
    }
    const Json results = ResultsOf(trial.scenario, *summary);
    if (part > 1 && results.at("counted").get<double>() < kEnough) continue;
    one.update(results);
    break;
  }
  return one;
}

Json MeasureAll(const Scenario& s, Clock::time_point until) {
  Json all{{"scenario", s.name}, {"seed", s.seed}, {"workloads", Json::array()}};
  for (size_t w = 0; w < s.workloads.size(); ++w) {
    const auto now = Clock::now();
    const auto left = static_cast<int64_t>(s.workloads.size() - w);
    all["workloads"].push_back(MeasureOne(s, w, now + std::max(until - now, Clock::duration(0)) / left));
  }
  return all;
}

bool IsMeasured(const Json& one) { return one.contains("counted"); }

std::string NumberText(const Json& value) {
  return value.is_number() ? FormatReadable(value.get<double>()) : "-";
}

std::string FullText(const Json& full) {
  std::string text;
  for (const Json& one : full)
    text += fmt::format("{}{} {}, {:.1f} %", text.empty() ? "" : "; ", one.at("resource").get<std::string>(),
                        one.at("at").get<std::string>(), 100 * one.at("share").get<double>());
  return text.empty() ? "none" : text;
}

std::string TextOf(const Json& all) {
  TextTable table("lrrrrrrl", {"workload", "counted", "from, µs", "per s", "Gbps", "p50, µs", "p99, µs",
                               "full, % of the time"});
  std::string loads, missing;
  for (const Json& one : all.at("workloads")) {
    const std::string name = one.at("workload");
    loads += fmt::format("  {}: {}\n", name, one.at("load").get<std::string>());
    if (!IsMeasured(one)) {
      missing += fmt::format(
          "  {} was not measured: the budget is exhausted; raise --budget, or shorten the "
          "run with --set duration=TIME\n",
          name);
      continue;
    }
    const std::string status = one.at("status");
    if (status != "complete") loads += fmt::format("  {}: the run ended with status {}\n", name, status);
    table.AddRow({Shorten(name, 24), CountText(one.at("counted").get<double>()),
                  NumberText(one.at("counted_from_us")),
                  CountText(one.at("per_second").is_number() ? one.at("per_second").get<double>() : 0),
                  NumberText(one.at("gbps")), NumberText(one.at("latency_us").at("p50")),
                  NumberText(one.at("latency_us").at("p99")), FullText(one.at("full"))});
  }
  return fmt::format("{}: each workload alone, without faults, seed {}\n",
                     all.at("scenario").get<std::string>(), all.at("seed").dump()) +
         loads + '\n' + table.ToString() + missing;
}

}  // namespace

int Measure(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& sets,
            double budget_s, bool json, std::ostream& out) {
  const auto budget = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget_s));
  const auto until = Clock::now() + budget;
  Json list = Json::array();
  bool complete = true;
  for (const std::filesystem::path& file : files) {
    const Scenario scenario = LoadScenario(file, sets);
    const auto now = Clock::now();
    const auto left = static_cast<int64_t>(files.size() - list.size());
    Json all = MeasureAll(scenario, now + std::max(until - now, Clock::duration(0)) / left);
    for (const Json& one : all.at("workloads")) complete &= IsMeasured(one);
    if (!json) out << (list.empty() ? "" : "\n") << TextOf(all);
    list.push_back(std::move(all));
  }
  if (json) out << (list.size() == 1 ? list.front() : list).dump(2) << '\n';
  return complete ? 0 : 1;
}

}  // namespace headroom

#include "report/text/human_table.h"

#include <fmt/format.h>

#include "report/text/human_sections.h"
#include "report/text/metric_text.h"

namespace headroom {

using nlohmann::ordered_json;

/// Whether several seeds gave the same values of all metrics.
static bool AllEqual(const ordered_json& seeds) {
  bool some = false;
  for (const auto& [name, metric] : seeds.at("metrics").items()) {
    const auto half = metric.find("half_width_95");
    if (half == metric.end() || !half->is_number()) continue;
    if (half->get<double>() != 0) return false;
    some = true;
  }
  return some;
}

static std::string Heading(const ordered_json& summary) {
  const std::string name = Shorten(summary.value("scenario", ""), 24);
  const std::string status = summary.value("status", "");
  const std::string at = FormatGrouped(summary.value("sim_time_us", 0.0), 3) + " µs";
  std::string what = "complete after " + at + " simulated";
  if (status == "deadline") what = "stopped at the deadline, " + at + ", with work left";
  if (status == "interrupted") what = "INTERRUPTED at " + at + ": partial results";
  if (status == "deadlock") what = "DEADLOCK: lossless traffic is stuck; see events.csv. Stopped at " + at;
  if (!summary.contains("seeds")) {
    return fmt::format("{}, seed {}: {}\n", name, summary["seed"].dump(), what);
  }
  const ordered_json& seeds = summary["seeds"];
  const std::string of = seeds.contains("planned") ? fmt::format(" of {}", seeds["planned"].dump()) : "";
  const bool pooled = seeds.contains("pooled") && !seeds["pooled"].empty();
  if (AllEqual(seeds))
    return fmt::format("{}, {}{} seeds: {}\nall seeds gave the same metrics, so there are no intervals\n",
                       name, seeds["list"].size(), of, what);
  return fmt::format(
      "{}, {}{} seeds: {}\nmeans over the seeds{}; peaks are the largest\n±: half the width of the 95 % "
      "confidence interval; ±?: more than the value, give more seeds\n",
      name, seeds["list"].size(), of, what,
      pooled ? "; percentiles over the messages of all seeds together" : "");
}

/// The start of counting, if that is not the start of the run. Without it, the zeros of a run that ended
/// before its warm-up would look like a result.
static std::string WarmupNote(const Scenario& scenario, const ordered_json& summary) {
  if (scenario.warmup == Time{}) return "";
  const std::string until = FormatGrouped(InMicroseconds(scenario.warmup), 3);
  if (summary.value("sim_time_us", 0.0) > InMicroseconds(scenario.warmup)) {
    return fmt::format("counted from {} µs on, the end of the warm-up; conservation over the whole run\n",
                       until);
  }
  return fmt::format("The warm-up, {} µs, was not over: no message and no counter below is after it.\n",
                     until);
}

/// Names workloads with a median longer than the warm-up. Messages that are open at its end do not count, so
/// the counted ones may be the fast ones.
static std::string ShortWarmup(const Scenario& scenario, const ordered_json& summary) {
  std::string out;
  const MetricIndex index(summary);
  const auto add = [&](const std::string& name, const std::string& what, const std::string& before,
                       const std::string& median) {
    const double us = index.Number(median).value_or(0);
    if (index.Number(before).value_or(0) == 0 || us <= InMicroseconds(scenario.warmup)) return;
    out += fmt::format("The warm-up is shorter than the median {} of {}, {} µs.\n", what, Shorten(name, 24),
                       FormatReadable(us));
  };
  for (const auto& [name, unused] : summary.at("messages").items()) {
    const std::string at = "messages." + name + '.';
    add(name, "message", at + "warmup_offered", at + "completion_us.p50");
  }
  if (!summary.contains("operations")) return out;
  for (const auto& [name, unused] : summary.at("operations").items()) {
    const std::string at = "operations." + name + ".all.";
    add(name, "operation", at + "ramp_offered", at + "latency_us.p50");
  }
  return out;
}

std::string HumanTable(const Scenario& scenario, const ordered_json& summary) {
  std::string out = Heading(summary) + WarmupNote(scenario, summary);
  if (scenario.warmup > Time{}) out += ShortWarmup(scenario, summary);
  for (const auto section : {DescribeMessages, DescribeParts, DescribeOperations, DescribeServices,
                             DescribePosting, DescribeFull, DescribeHistories, DescribeEstats, DescribePfc,
                             DescribeMarksAndDrops, DescribeRails, DescribeBuffers, DescribeCost}) {
    const std::string text = section(scenario, summary);
    if (!text.empty()) out += '\n' + text;
  }
  return out;
}

}  // namespace headroom

#include "analysis/check/services/check_ios.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/text/text_table.h"
#include "scenario/fio/other_options.h"
#include "scenario/yaml/quantity.h"
#include "workload/io_arrivals.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

std::string OfIo(const WorkloadParameters& workload) { return "workload " + workload.name; }

/// The time in a unit that needs few digits: 416.7us.
std::string ReadableTime(Time time) {
  const std::pair<double, const char*> units[] = {{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}};
  const auto ps = static_cast<double>(time.v);
  for (const auto& [scale, unit] : units)
    if (ps >= scale) return FormatReadable(ps / scale) + unit;
  return time.v == 0 ? "0" : fmt::format("{}ps", time.v);
}

std::string OptionOf(const IoJob& job, const char* key) {
  const auto found = std::ranges::find(job.options, key, &std::pair<std::string, std::string>::first);
  return found == job.options.end() ? "" : found->second;
}

/// Keys of the job without effect here: reported once for all jobs that have the same.
void NoteKeysThatChangeNothing(const WorkloadParameters& w, const IoJob& job, Findings& findings) {
  std::vector<std::string> names;
  for (const auto& [key, value] : job.options)
    if (std::ranges::count(fio::KeysThatChangeNothing(), key) > 0) names.push_back(key);
  if (names.empty()) return;
  const std::string what = fmt::format("keys of the job file without effect: {}", fmt::join(names, ", "));
  if (std::ranges::find(findings, what, &Finding::what) != findings.end()) return;
  findings.push_back({Severity::note, OfIo(w), what});
}

/// Reports keys of a fio job with an unexpected meaning here.
void JudgeJob(const WorkloadParameters& w, const IoArrivals& io, Findings& findings) {
  if (!io.job) return;
  const IoJob& job = *io.job;
  NoteKeysThatChangeNothing(w, job, findings);
  const auto note = [&](const std::string& what) { findings.push_back({Severity::note, OfIo(w), what}); };
  if (job.time_scale != 1)
    note(
        fmt::format("a second of the job file is {} of simulated time: runtime {}, ramp_time {}; rates and "
                    "think times are unchanged",
                    ReadableTime(Time(std::llround(1e12 * job.time_scale))),
                    job.runtime.v > 0 ? ReadableTime(job.runtime) : "the run's", ReadableTime(io.ramp)));
  const std::string depth = OptionOf(job, "iodepth"), engine = OptionOf(job, "ioengine");
  if (depth.empty() || depth == "1") return;
  if (engine.empty())
    note(fmt::format("iodepth={} without an ioengine: fio's own default, psync, would have one I/O open",
                     depth));
  if (job.depth == 1)
    note(fmt::format("iodepth={} of ioengine={}: one I/O of a clone is open, as in fio", depth, engine));
}

}  // namespace

void JudgeIo(const WorkloadParameters& workload, Findings& findings) {
  JudgeJob(workload, *workload.arrivals.Find<IoArrivals>(), findings);
}

}  // namespace headroom

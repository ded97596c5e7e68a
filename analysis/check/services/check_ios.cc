#include "analysis/check/services/check_ios.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/text/text_table.h"
#include "scenario/fio/other_options.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;
using IoLimit = IoCheck::Limit;

std::string OfIo(const IoCheck& check) { return "workload " + check.workload; }
std::string Gbps(double iops, double bytes) { return FormatReadable(iops * bytes * 8 / 1e9) + " Gb/s"; }

/// Judges limits other than its requests, with their remedies.
void JudgeCredits(const IoWorkload& w, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound* const bound = check.Find(IoLimit::credits);
  if (bound == nullptr) return;
  const int credits = w.service().front.credits;
  const auto nodes = static_cast<int64_t>(w.servers().size());
  const int64_t all = credits * nodes;
  if (check.rate == 0 && w.io().depth > all) {
    findings.push_back({Severity::warning, OfIo(check),
                        fmt::format("depth {} is more than the {} credits of service {} at {} extent "
                                    "node{}: at most {} requests of a disk are open, and the others wait "
                                    "at the host",
                                    w.io().depth, credits, check.service, nodes, nodes == 1 ? "" : "s", all),
                        fmt::format("front: {{credits: {}}}", (w.io().depth + nodes - 1) / nodes)});
  }
  if (check.rate > bound->iops) {
    const double open = check.rate * static_cast<double>(check.least_alone.v) / 1e12;
    findings.push_back(
        {Severity::warning, OfIo(check),
         fmt::format("{} I/Os per second of {} µs each need {} open I/Os, but {} credits at {} extent "
                     "node{} allow only {} per second; the backlog grows while the load lasts",
                     IopsText(check.rate), FormatReadable(InMicroseconds(check.least_alone)),
                     FormatReadable(open), credits, nodes, nodes == 1 ? "" : "s", IopsText(bound->iops)),
         fmt::format("front: {{credits: {:.0f}}} or more, or a lower rate",
                     std::ceil(open / static_cast<double>(nodes)))});
  }
}

/// From this share on, the line counts as full.
constexpr double kFull = 0.9;

/// The line that data use most, in I/Os per second.
double LineOf(const IoCheck& check) {
  double least = HUGE_VAL;
  for (const IoLimit limit : {IoLimit::line, IoLimit::node_line})
    if (const IoCheck::Bound* bound = check.Find(limit)) least = std::min(least, bound->iops);
  return least;
}

/// Open blocks compared with the line: this many per round trip. Reports credits or depth, whichever is
/// smaller.
void JudgeWindow(const IoWorkload& w, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound& least = check.Least();
  const bool by_depth = least.limit == IoLimit::depth;
  if ((!by_depth && least.limit != IoLimit::credits) || check.rate > 0 || least.iops >= kFull * LineOf(check))
    return;
  const int credits = w.service().front.credits;
  const double times = LineOf(check) / least.iops;
  std::string open = fmt::format("depth {}", w.io().depth);
  std::string change = fmt::format("depth: {:.0f} would fill them, if credits, cores and disks suffice",
                                   std::ceil(w.io().depth * times));
  if (!by_depth) {
    const double needed = std::ceil(credits * times), all = needed * static_cast<double>(w.servers().size());
    open = fmt::format("{} credit{} at each extent node", credits, credits == 1 ? "" : "s");
    change = fmt::format("front: {{credits: {:.0f}}}{} would fill them", needed,
                         w.io().depth < all ? fmt::format(" and depth: {:.0f}", all) : "");
  }
  findings.push_back(
      {Severity::note, OfIo(check),
       fmt::format("a disk reaches at most {}: {}, blocks of {} on average, an I/O takes {} µs; the lines "
                   "carry {}",
                   Gbps(least.iops, check.mean_bytes), open, FormatBytes(check.mean_bytes),
                   FormatReadable(InMicroseconds(check.least_alone)), Gbps(LineOf(check), check.mean_bytes)),
       change});
}

/// One chunk in flight: each connection carries c / (RTT + c/R + turn-around).
void JudgeStream(const IoWorkload& w, const Fabric& fabric, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound* const bound = check.Find(IoLimit::stream);
  if (bound == nullptr || check.rate > 0 || bound->iops >= kFull * LineOf(check) ||
      check.Least().limit != IoLimit::stream)
    return;
  const StorageLeg& leg = w.service().front;
  const IoEnds ends = EndsOf(fabric, w.io().from.front(), w.servers().front());
  const int64_t chunk = std::min(leg.chunk, LargestBlock(w.io())).v;
  const Time takes = ChunkTakes(leg, chunk, ends.back, ends.server, ends.client);
  const auto nodes = static_cast<double>(w.servers().size());
  const Rate line = std::min(fabric.LineRate(w.io().from.front()), fabric.LineRate(w.servers().front()));
  const double on_wire = static_cast<double>(chunk) * 8e12 / static_cast<double>(line.v);
  // n connections together need n c = R (turn + c/R)
  const double turn = static_cast<double>(takes.v) - on_wire;
  const double fills = nodes > 1 ? turn * static_cast<double>(line.v) / 8e12 / (nodes - 1) : HUGE_VAL;
  std::string change = "give a larger chunk with larger I/Os, or more extent nodes";
  if (fills <= static_cast<double>(LargestBlock(w.io()).v)) {
    const std::string size = FormatSize(Kibibytes(std::llround(std::ceil(fills / 1024))));
    const bool written = chunk <= leg.large.v && fills > static_cast<double>(leg.large.v);
    change = fmt::format("front: {{chunk: {}{}}} and more would fill the line with {:.0f} connections", size,
                         written ? ", large: " + size : "", nodes);
  }
  findings.push_back(
      {Severity::note, OfIo(check),
       fmt::format("a connection has one chunk in flight: {} in {} µs (round trip, line and cores) give at "
                   "most {}; a disk with {:.0f} of them reaches {} I/Os a second, {}, and the lines carry {}",
                   FormatBytes(static_cast<double>(chunk)), FormatReadable(InMicroseconds(takes)),
                   Gbps(1e12 / static_cast<double>(takes.v), static_cast<double>(chunk)), nodes,
                   IopsText(bound->iops), Gbps(bound->iops, check.mean_bytes),
                   Gbps(LineOf(check), check.mean_bytes)),
       change});
}

void JudgeFence(const IoWorkload& w, const Fabric& fabric, Findings& findings) {
  const IoCheck& check = w.check();
  const IoCheck::Bound* const bound = check.Find(IoLimit::fence);
  if (bound == nullptr) return;
  double most = check.rate;
  if (most == 0) {
    for (const IoCheck::Bound& b : check.bounds)
      if (b.limit != IoLimit::fence) most = most == 0 ? b.iops : std::min(most, b.iops);
  }
  if (bound->iops >= most) return;
  const Time registration = fabric.scenario().nics[w.io().from.front()].registration_latency;
  findings.push_back(
      {Severity::warning, OfIo(check),
       fmt::format("hidden_fence: a registration waits for the previous request, so a connection begins one "
                   "I/O in {} µs (round trip) + {} µs (registration); a disk begins at most {} per second, "
                   "and {} without the bug",
                   FormatReadable(InMicroseconds(w.request())), FormatReadable(InMicroseconds(registration)),
                   IopsText(bound->iops), IopsText(most)),
       "give bugs: {hidden_fence: false}, larger I/Os, or more extent nodes"});
}

/// Compares cores and disks with the requests.
void JudgeLoad(const IoWorkload& w, Findings& findings) {
  const IoCheck& check = w.check();
  struct Part {
    IoLimit limit;
    const char *has, *change;
  };
  constexpr Part kParts[] = {
      {IoLimit::cores, "the cores of its host", "hosts: more cores, a faster clock, fewer cycles"},
      {IoLimit::node_cores, "the cores of the extent nodes", "hosts: more cores at the extent nodes"},
      {IoLimit::disks, "the disks of the extent nodes (disk: iops)", "more iops, or more extent nodes"},
      {IoLimit::stream, "the limit of one chunk in flight (front: chunk)",
       "larger chunks, or more extent nodes"},
      {IoLimit::line, "its host's line", ""},
      {IoLimit::node_line, "the extent nodes' lines", ""}};
  for (const Part& part : kParts) {
    const IoCheck::Bound* const bound = check.Find(part.limit);
    if (bound == nullptr) continue;
    if (check.rate > bound->iops) {
      findings.push_back(
          {Severity::warning, OfIo(check),
           fmt::format("the rate is {} I/Os a second per disk, but at most {} complete, because of {}; "
                       "the backlog grows while the load lasts",
                       IopsText(check.rate), IopsText(bound->iops), part.has),
           *part.change == '\0' ? "a lower rate" : fmt::format("{}, or a lower rate", part.change)});
    } else if (check.rate == 0 && check.Least().limit == part.limit &&
               (part.limit == IoLimit::cores || part.limit == IoLimit::node_cores ||
                part.limit == IoLimit::disks)) {
      findings.push_back({Severity::note, OfIo(check),
                          fmt::format("a disk reaches at most {} I/Os a second, because of {}",
                                      IopsText(bound->iops), part.has),
                          part.change});
    }
  }
}

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
void NoteKeysThatChangeNothing(const IoWorkload& w, Findings& findings) {
  std::vector<std::string> names;
  for (const auto& [key, value] : w.io().job->options)
    if (std::ranges::count(fio::KeysThatChangeNothing(), key) > 0) names.push_back(key);
  if (names.empty()) return;
  const std::string what = fmt::format("keys of the job file without effect: {}", fmt::join(names, ", "));
  if (std::ranges::find(findings, what, &Finding::what) != findings.end()) return;
  findings.push_back({Severity::note, OfIo(w.check()), what, ""});
}

/// Reports keys of a fio job with an unexpected meaning here.
void JudgeJob(const IoWorkload& w, Findings& findings) {
  if (!w.io().job) return;
  const IoJob& job = *w.io().job;
  NoteKeysThatChangeNothing(w, findings);
  const auto note = [&](const std::string& what, const std::string& change) {
    findings.push_back({Severity::note, OfIo(w.check()), what, change});
  };
  if (job.time_scale != 1)
    note(fmt::format("a second of the job file is {} of simulated time: runtime {}, ramp_time {}; rates and "
                     "think times are unchanged",
                     ReadableTime(Time(std::llround(1e12 * job.time_scale))),
                     job.runtime.v > 0 ? ReadableTime(job.runtime) : "the run's", ReadableTime(w.io().ramp)),
         "");
  const std::string depth = OptionOf(job, "iodepth"), engine = OptionOf(job, "ioengine");
  if (depth.empty() || depth == "1") return;
  if (engine.empty())
    note(fmt::format("iodepth={} without an ioengine: fio's own default, psync, would have one I/O open",
                     depth),
         "ioengine=libaio is explicit");
  if (job.depth == 1)
    note(fmt::format("iodepth={} of ioengine={}: one I/O of a clone is open, as in fio", depth, engine),
         "ioengine=libaio, or numjobs");
}

}  // namespace

void JudgeIo(const IoWorkload& w, const Fabric& fabric, Findings& findings) {
  JudgeJob(w, findings);
  JudgeCredits(w, findings);
  JudgeWindow(w, findings);
  JudgeStream(w, fabric, findings);
  JudgeFence(w, fabric, findings);
  JudgeLoad(w, findings);
}

}  // namespace headroom

// Part of perf.h: runs a test in a separate process, size by size.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>

#include "cli/held_signals.h"
#include "cli/perf/perf.h"
#include "cli/report_errors.h"
#include "cli/run_request.h"
#include "files/staged_directory.h"
#include "run/run_perf.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

ordered_json RowOf(const PerfTest& test, const PerfTimes& times) {
  ordered_json row = {{"bytes", test.size}, {"iterations", int64_t{test.iterations} * test.queue_pairs}};
  if (test.latency) {
    const PerfLatency l = LatencyOf(test, times);
    row.update({{"t_min_us", l.min_us},
                {"t_max_us", l.max_us},
                {"t_typical_us", l.typical_us},
                {"t_avg_us", l.average_us},
                {"t_stdev_us", l.deviation_us},
                {"p99_us", l.p99_us},
                {"p999_us", l.p999_us}});
  } else {
    const PerfBandwidth b = BandwidthOf(test, times);
    row.update({{"bw_peak_gbps", b.peak_bps / 1e9},
                {"bw_average_gbps", b.average_bps / 1e9},
                {"msg_rate_mpps", b.messages_per_s / 1e6}});
  }
  return row;
}

/// A size that is being measured: its process, and the pipe with its result.
struct Child {
  pid_t pid = 0;
  int from = 0;
};

Child Start(const Scenario& scenario, const PerfTest& test) {
  int ends[2];
  FlushOutput();
  if (pipe(ends) != 0) throw ResultError(std::string("cannot open a pipe: ") + std::strerror(errno));
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw ResultError(std::string("cannot start another process: ") + std::strerror(errno));
  if (pid > 0) {
    close(ends[1]);
    return {pid, ends[0]};
  }
  BecomeChildOf(parent);
  const int code = ReportingErrors([&] {
    const PerfTimes times = RunPerf(scenario, test);
    if (!times.failure.empty()) {
      fmt::print(stderr, "headroom: messages of {} bytes: {}\n", test.size, times.failure);
      return static_cast<int>(kFailed);
    }
    const std::string text = RowOf(test, times).dump();
    const ssize_t written =
        write(ends[1], text.data(), text.size());  // the text is shorter than a pipe's capacity
    return written == static_cast<ssize_t>(text.size()) ? int{kDone} : int{kFailed};
  });
  std::fflush(nullptr);
  _exit(code);
}

std::string ReadAll(int from) {
  std::string text;
  char part[4096];
  for (ssize_t n = 0; (n = read(from, part, sizeof part)) > 0;) text.append(part, static_cast<size_t>(n));
  close(from);
  return text;
}

}  // namespace

int MeasurePerf(const PerfPlan& plan, int jobs, const std::function<void(const ordered_json&)>& use) {
  std::deque<Child> running;
  int code = kDone;
  size_t next = 0;
  while (!running.empty() || (next < plan.sizes.size() && code == kDone)) {
    while (code == kDone && next < plan.sizes.size() && running.size() < static_cast<size_t>(jobs))
      running.push_back(Start(plan.scenario, plan.sizes[next++]));
    const Child child = running.front();
    running.pop_front();
    const std::string text = ReadAll(child.from);
    int status = 0;
    waitpid(child.pid, &status, 0);
    const int ended = WIFEXITED(status) ? WEXITSTATUS(status) : kFailed;
    if (ended == kDone && code == kDone) use(ordered_json::parse(text));
    if (code == kDone) code = ended;
  }
  return code;
}

}  // namespace headroom

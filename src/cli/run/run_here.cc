// Part of run_request.h: runs a scenario in this process and writes its files.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>

#include "cli/progress_line.h"
#include "cli/run/ideal_times.h"
#include "cli/run_request.h"
#include "files/whole_text.h"
#include "report/result.h"
#include "report/summary/summary.h"
#include "report/text/text_table.h"
#include "run/capture.h"
#include "run/run.h"
#include "run/stream/streamed_records.h"
#include "scenario/memory/memory.h"
#include "scenario/paths/cut.h"
#include "scenario/read/load.h"
#include "scenario/write/digest.h"
#include "scenario/write/write.h"
#include "scenario/yaml/error.h"
#include "sim/exchange.h"

namespace headroom {

namespace {

volatile std::sig_atomic_t goes_on = 0, interrupted = 0;

struct InterruptedBefore {};

/// A run is refused before it takes memory if it does not fit beside the machine's other processes.
void CheckFits(const Scenario& scenario, const std::filesystem::path& file) {
  const std::vector<MemoryPart> parts = MemoryParts(scenario);
  const double free = FreeMemory();
  if (EstimateMemory(scenario).expected <= free) return;
  throw ScenarioError(WholeFile(file), DescribeMemory(parts),
                      fmt::format("only {} is free: {}", FormatMemory(free), LargestPart(parts).less));
}

/// Checks a run's memory from time to time. A run may not exceed its estimated maximum.
class MemoryWatchdog {
 public:
  MemoryWatchdog(const Scenario& scenario, bool judged)
      : name_(scenario.name), most_(EstimateMemory(scenario).worst), looks_(kMeasures && !judged) {}
  void Look() const {
    if (!looks_) return;
    if (ResidentMemory() <= most_) return;
    const double taken = HeapMemory();
    if (taken <= most_) return;
    throw ResultError(
        fmt::format("{}: the run was stopped and wrote nothing: it takes {} of memory, but the estimated "
                    "maximum is {}",
                    name_, FormatMemory(taken), FormatMemory(most_)));
  }

 private:
#ifdef __SANITIZE_ADDRESS__
  static constexpr bool kMeasures = false;  // the sanitizer surrounds each object with memory of its own
#else
  static constexpr bool kMeasures = true;
#endif
  const std::string& name_;
  double most_;
  bool looks_;  ///< false if operations are judged, because their history takes further memory
};

/// Called before the run: until then there is no result to keep, and the set-up of a large network takes a
/// while.
void CatchInterrupts(bool of_ranks) {
  struct sigaction action = {};
  action.sa_handler = [](int) {
    if (goes_on == 0) {
      [[maybe_unused]] const ssize_t written =
          write(STDERR_FILENO, kInterruptedBefore, sizeof kInterruptedBefore - 1);
      _exit(kInterrupted);
    }
    interrupted = 1;
  };
  // The second interrupt ends the program, for a user who presses Ctrl-C twice.
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (of_ranks) sigaction(SIGUSR1, &action, nullptr);  // mpirun passes this one on
}

rusage Usage() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

/// User and system time of this process.
double CpuSeconds() {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  const rusage usage = Usage();
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

RunCost CostSince(std::chrono::steady_clock::time_point start) {
  RunCost cost;
  cost.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cost.cpu_s = CpuSeconds();
  cost.peak_rss_mb = static_cast<double>(Usage().ru_maxrss) / 1000;
  return cost;
}

/// Reports histories that no correct store could have.
void Tell(const Scenario& scenario, const HistoryJudgement& histories) {
  for (const std::string& story : histories.stories)
    fmt::print(stderr, "headroom: {}, seed {}: {}\n", scenario.name, scenario.seed, story);
  if (const uint64_t more = histories.violations - histories.stories.size(); more > 0)
    fmt::print(stderr, "headroom: {}, seed {}: and {} more violations\n", scenario.name, scenario.seed, more);
}

std::string TextOf(const std::filesystem::path& path) {
  if (auto text = WholeText(path)) return std::move(*text);
  throw ResultError(fmt::format("{}: the file can no longer be read", path.string()));
}

}  // namespace

bool KeepsFinished(const std::filesystem::path& target) {
  if (!IsFinishedResult(target)) return false;
  fmt::print(stderr, "headroom: interrupted; {} keeps its finished result\n", Visible(target.string()));
  return true;
}

namespace {

/// The options of a run, with its reports to the progress line and the interrupt handler. `events_cpu_s`
/// receives the CPU time from the first event to the last.
RunOptions OptionsOf(const RunRequest& request, const Scenario& scenario, const MemoryWatchdog& memory,
                     ProgressLine& line, double& events_cpu_s) {
  RunOptions options;
  options.check = request.check || kAssertions;
  options.histories = request.check;
  options.captures = request.captures;
  options.exchange = request.exchange;
  const int ranks = request.exchange != nullptr ? request.exchange->size() : 1;
  options.parts = PartsFor(scenario, {request.parts, ranks, request.estimate_ranks, request.check});
  options.estimate_ranks = request.estimate_ranks;
  options.on_setup = [&](const std::string& what) {
    if (interrupted != 0) throw InterruptedBefore();
    memory.Look();
    line.Step(scenario.name + ": setting up " + what);
  };
  options.on_start = [&line, &events_cpu_s] {
    if (interrupted != 0) throw InterruptedBefore();
    goes_on = 1;
    line.Start();
    events_cpu_s = CpuSeconds();
  };
  options.on_end = [&events_cpu_s] { events_cpu_s = CpuSeconds() - events_cpu_s; };
  options.on_progress = [&](const Progress& p) {
    memory.Look();
    line.Update(request.progress == ProgressTo::log ? request.name : scenario.name, scenario, p);
    return interrupted == 0;
  };
  return options;
}

/// A place on disk for the records of a run. They get their ideal times when they are read.
std::shared_ptr<StreamedRecords> EndedIn(const std::filesystem::path& result, const Scenario& scenario) {
  auto ended = std::make_shared<StreamedRecords>(result / kStreamFolder);
  ended->SetIdeal([&scenario, times = std::shared_ptr<IdealTimes>()](const MessageRecord& message) mutable {
    if (times == nullptr) times = std::make_shared<IdealTimes>(scenario);
    return times->Of(message);
  });
  return ended;
}

int RunAndWrite(const RunRequest& request, const ScenarioFile* read) {
  const auto start = std::chrono::steady_clock::now();
  CatchInterrupts(request.exchange != nullptr);
  const bool writes = request.exchange == nullptr || request.exchange->rank() == 0;
  ProgressLine line(writes ? request.progress : ProgressTo::nobody);
  line.Step("reading " + request.file.string());
  std::unique_ptr<const ScenarioFile> read_here;
  if (read == nullptr) {
    read_here.reset(new ScenarioFile(LoadScenarioFile(request.file, request.sets)));  // the scenario is
                                                                                      // moved, not copied
    read = read_here.get();
  }
  const ScenarioFile& file = *read;
  const Scenario& scenario = file.scenario;
  CheckFits(scenario, request.file);
  const MemoryWatchdog memory(scenario, request.check);
  if (writes) CheckTarget(request.target, request.replacing);
  std::optional<StagedDirectory> staged;
  const bool streams = scenario.results == Results::stream;
  if (!request.captures.empty() || (streams && writes)) {
    goes_on = 1;  // the program goes on to its end, so that the stage is removed
    staged.emplace(request.target, request.replacing);
  }

  double events_cpu_s = 0;
  RunOptions options = OptionsOf(request, scenario, memory, line, events_cpu_s);
  if (staged) options.capture_dir = staged->path() / "pcap";
  if (streams && writes) options.ended = EndedIn(staged->path(), scenario);
  RunRecord record = Run(scenario, options);
  if (!writes) return kDone;
  line.Step(scenario.name + ": writing the result");
  if (record.status == RunStatus::interrupted) line.Clear();
  if (record.status == RunStatus::interrupted && KeepsFinished(request.target)) return kInterrupted;
  FillIdealTimes(scenario, record.messages);

  RunCost cost = CostSince(start);
  cost.events_cpu_s = events_cpu_s;
  cost.estimate_ranks = request.estimate_ranks;
  if (request.exchange != nullptr) cost.ranks = request.exchange->size();
  auto summary = Summarise(scenario, record, cost);
  summary["digest"] = DigestOf(file);
  const Resolved resolved = WriteResolved(file);
  std::vector<NamedText> texts = {{"resolved.yaml", resolved.yaml}};
  for (const ReferencedFile& f : resolved.files) texts.push_back({f.name, TextOf(f.from)});
  if (!staged) staged.emplace(request.target, request.replacing);
  WriteResult(*staged, scenario, record, summary, texts);

  if (record.status == RunStatus::interrupted) return kInterrupted;
  const bool judged_wrong = record.histories && !record.histories->Ok();
  if (judged_wrong) Tell(scenario, *record.histories);
  if (record.status == RunStatus::deadlock || !record.conservation.Ok() || judged_wrong) return kFailed;
  return kDone;
}

}  // namespace

int RunHere(const RunRequest& request, const ScenarioFile* read) {
  try {
    if (request.ranks > 1 && request.exchange == nullptr) return RunInRanks(request);
    return RunAndWrite(request, read);
  } catch (const InterruptedBefore&) {
    fmt::print(stderr, "{}", kInterruptedBefore);
    return kInterrupted;
  }
}

}  // namespace headroom

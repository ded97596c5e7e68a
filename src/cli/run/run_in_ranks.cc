// Part of run_request.h: runs a scenario in several processes under MPI.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/report_errors.h"
#include "cli/run_request.h"
#include "files/staged_directory.h"
#include "ranks/mpirun_watch.h"
#include "ranks/rank_world.h"
#include "report/text/text_table.h"
#include "scenario/paths/cut.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr char kLaunched[] = "HEADROOM_LAUNCHED";
volatile std::sig_atomic_t asked_to_end = 0;  ///< how often

/// How a run in ranks went on until its output ended.
struct Course {
  bool hung = false;          ///< mpirun hung, and was ended
  bool before_ranks = false;  ///< mpirun was asked to end before it had started a rank
  int requests = 0;           ///< to end the run
};

/// The command that a rank runs.
std::vector<std::string> CommandOf(const RunRequest& request) {
  std::vector<std::string> command = {fs::read_symlink("/proc/self/exe"),
                                      "run",
                                      request.file,
                                      "--out",
                                      request.target,
                                      "--parts",
                                      request.parts == kAutoParts ? "auto" : std::to_string(request.parts)};
  for (const std::string& set : request.sets) command.insert(command.end(), {"--set", set});
  if (request.replacing.force || request.replacing.own) command.emplace_back("--force");
  if (request.check) command.emplace_back("--check");
  if (request.progress != ProgressTo::nobody) command.emplace_back("--progress");
  return command;
}

/// Starts the command. Its error output goes to `errors`.
pid_t Start(const std::vector<std::string>& command, int errors) {
  FlushOutput();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw ResultError(std::string("cannot start mpirun: ") + std::strerror(errno));
  if (child > 0) return child;
  // An interrupt of a terminal reaches this program alone, which lets the ranks end their run.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  setenv(kLaunched, "1", 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

void CatchRequestsToEnd() {
  struct sigaction action = {};
  action.sa_handler = [](int) { asked_to_end = asked_to_end + 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

/// Passes the output on until it ends, and requests to end to mpirun, which sends SIGUSR1 to the ranks.
/// An mpirun without ranks would forget the request, so it is ended.
Course Follow(int output, pid_t mpirun, MpirunReports& reports) {
  MpirunWatch watch(mpirun);
  Course course;
  char piece[4096];
  for (;;) {
    // A signal may come just before this program waits.
    constexpr int kLookMs = 200;
    pollfd ready = {output, POLLIN, 0};
    const int some = poll(&ready, 1, kLookMs);
    if (course.requests < asked_to_end) {
      ++course.requests;
      course.before_ranks = course.before_ranks || !watch.HasChildren();
      kill(mpirun, course.before_ranks ? SIGTERM : SIGUSR1);
    }
    if (watch.Hangs()) {
      watch.Kill();
      course.hung = true;
      return course;
    }
    if (some <= 0) continue;
    const ssize_t n = read(output, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return course;
    fmt::print(stderr, "{}", reports.Take(std::string(piece, static_cast<size_t>(n))));
    std::fflush(stderr);
  }
}

/// Changes when a result is written to the folder; nothing is there: 0 and an early time.
std::pair<ino_t, fs::file_time_type> WrittenTo(const fs::path& folder) {
  const fs::path summary = folder / "summary.json";
  struct stat found = {};
  std::error_code ignored;
  if (stat(summary.c_str(), &found) != 0) return {0, fs::file_time_type::min()};
  return {found.st_ino, fs::last_write_time(summary, ignored)};
}

/// Whether the result in this folder is of an interrupted run.
bool IsInterrupted(const fs::path& folder) {
  std::ifstream file(folder / "summary.json");
  const nlohmann::json summary = nlohmann::json::parse(file, nullptr, false);
  return summary.is_object() && summary.value("status", "") == "interrupted";
}

}  // namespace

bool IsLaunchedRank() { return std::getenv(kLaunched) != nullptr; }

int RunInRanks(const RunRequest& request) {
  int ends[2];
  const SharedFolder shared;
  const std::vector<std::string> command = CommandForRanks(request.ranks, CommandOf(request), shared.path());
  if (pipe2(ends, O_CLOEXEC) != 0) throw ResultError(std::string("no pipe: ") + std::strerror(errno));
  CatchRequestsToEnd();
  AdoptOrphans();
  const auto before = WrittenTo(request.target);
  const pid_t mpirun = Start(command, ends[1]);
  close(ends[1]);
  MpirunReports reports;
  const Course course = Follow(ends[0], mpirun, reports);
  close(ends[0]);
  int status = 0;
  while (waitpid(mpirun, &status, 0) < 0 && errno == EINTR) {
  }
  // Ranks may outlive mpirun. While one runs, its unfinished folder is not removed.
  if (IsOnOneMachine()) AwaitChildren();
  // mpirun also has code 1 if it fails or is ended. Only a rank with this code leaves a finished result.
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kInterrupted + 1;
  const bool written = WrittenTo(request.target) != before;
  const bool judged = code == kFailed && written && !IsInterrupted(request.target);
  if (judged || code == kDone || code == kBadInput || code == kInterrupted) return code;
  RemoveLeftBeside(request.target);
  const std::string left = written
                               ? fmt::format("{} has the result until then", Visible(request.target.string()))
                               : "nothing was written";
  if (!written && reports.lacks_room()) {
    fmt::print(stderr,
               "headroom: {}: Open MPI could not write its files: {} is full, or ulimit -f is too small; "
               "give another folder in TMPDIR, or a larger limit; nothing was written\n",
               request.name, Visible(FolderOfMpi()));
    return kBadInput;
  }
  if (!written && (course.before_ranks || (course.requests > 0 && reports.EndedBy(SIGUSR1)))) {
    // SIGUSR1 ends a rank that does not yet catch it, and one that is asked again.
    const bool began = !course.before_ranks && course.requests > 1;
    fmt::print(stderr, "{}", began ? "headroom: interrupted; nothing was written\n" : kInterruptedBefore);
    return kInterrupted;
  }
  if (course.hung) {
    fmt::print(stderr, "{}headroom: {}: mpirun did not notice the end of a rank, or started none; {}\n",
               reports.text(), request.name, left);
  } else if (reports.lost_rank() >= 0) {
    fmt::print(stderr, "headroom: {}: rank {} of {} ended early, so the run was stopped; {}\n", request.name,
               reports.lost_rank(), request.ranks, left);
  } else {
    fmt::print(stderr, "{}headroom: {}: mpirun {}; {}\n", reports.text(), request.name,
               written ? "was ended" : "failed", left);
  }
  return kInterrupted;
}

}  // namespace headroom

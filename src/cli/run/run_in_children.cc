// Part of run_request.h: runs several scenarios, each in a separate process.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>

#include "cli/held_signals.h"
#include "cli/report_errors.h"
#include "cli/run_request.h"
#include "files/staged_directory.h"

namespace headroom {

namespace {

pid_t StartRun(const RunRequest& request) {
  FlushOutput();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw ResultError(std::string("cannot start another process: ") + std::strerror(errno));
  if (child > 0) return child;
  BecomeChildOf(parent);
  const int code = ReportingErrors([&request] { return RunHere(request); });
  std::fflush(nullptr);
  _exit(code);
}

}  // namespace

std::vector<int> RunInChildren(const std::vector<RunRequest>& requests, int jobs) {
  std::vector<int> codes(requests.size(), kInterrupted);
  std::map<pid_t, size_t> running;
  size_t next = 0;
  bool stop = false;
  const HeldSignals signals;
  while (true) {
    while (!stop && next < requests.size() && static_cast<int>(running.size()) < jobs) {
      const pid_t child = StartRun(requests[next]);
      running[child] = next++;
    }
    if (running.empty()) break;
    if (const int signal = signals.Next(); signal != SIGCHLD) {
      // The children end their runs, and this process waits for them. A signal to the entire group, such as
      // Ctrl-C, has reached the children already. A second signal of the same kind would kill them, so they
      // get the other one.
      stop = true;
      for (const auto& [child, unused] : running) kill(child, signal == SIGINT ? SIGTERM : SIGINT);
      continue;
    }
    int status = 0;
    for (pid_t child = 0; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
      const auto at = running.find(child);
      if (at == running.end()) continue;
      int& code = codes[at->second];
      if (WIFEXITED(status)) {
        code = WEXITSTATUS(status);
        stop = stop || code == kInterrupted;
      } else if (!stop) {
        fmt::print(stderr, "headroom: the run of {} was killed by signal {}\n", requests[at->second].name,
                   WTERMSIG(status));
      }
      running.erase(at);
    }
  }
  return codes;
}

}  // namespace headroom

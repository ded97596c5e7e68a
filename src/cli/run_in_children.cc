#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <stdexcept>

#include "cli/report_errors.h"
#include "cli/run_request.h"

namespace headroom {

std::vector<int> RunInChildren(const std::vector<RunRequest>& requests, int jobs) {
  std::vector<int> codes(requests.size(), kInterrupted);
  std::map<pid_t, size_t> running;
  size_t next = 0;
  bool stop = false;
  // Ctrl-C reaches the children by themselves: they end their runs, and the parent waits for that.
  struct sigaction ignore = {}, before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  while (!running.empty() || (next < requests.size() && !stop)) {
    while (!stop && next < requests.size() && static_cast<int>(running.size()) < jobs) {
      std::fflush(nullptr);
      const pid_t child = fork();
      if (child < 0) throw std::runtime_error("cannot start another process");
      if (child == 0) {
        const RunRequest& request = requests[next];
        const int code = ReportingErrors([&request] { return RunHere(request); });
        std::fflush(nullptr);
        _exit(code);
      }
      running[child] = next++;
    }
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    if (child < 0) break;
    const auto at = running.find(child);
    if (at == running.end()) continue;
    if (WIFEXITED(status)) {
      codes[at->second] = WEXITSTATUS(status);
    } else {
      fmt::print(stderr, "headroom: the run of {} was killed by signal {}\n",
                 requests[at->second].target.string(), WTERMSIG(status));
      codes[at->second] = kFailed;
    }
    stop = stop || codes[at->second] == kInterrupted;
    running.erase(at);
  }
  sigaction(SIGINT, &before, nullptr);
  return codes;
}

}  // namespace headroom

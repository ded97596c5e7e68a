// One run requested by a command: the scenario, its changes, the seed, the place of the result.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/progress_line.h"
#include "files/staged_directory.h"

namespace headroom {

/// A command's exit code, for the shell; docs/commands.md explains them.
enum ExitCode : int { kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 3 };

/// Printed when a run is interrupted before its first event.
inline constexpr char kInterruptedBefore[] =
    "headroom: interrupted before the run began; nothing was written\n";

class Exchange;
struct ScenarioFile;

struct RunRequest {
  std::string name;  ///< name in messages
  std::filesystem::path file;
  std::vector<std::string> sets;      ///< KEY=VALUE, including the seed
  std::filesystem::path target;       ///< the result directory
  std::vector<std::string> captures;  ///< ports to capture: NODE or NODE:PORT
  Replacing replacing;
  int parts =
      1;  ///< number of parts that the network runs in; kAutoParts (scenario/paths/cut.h): the fastest
  int estimate_ranks = 0;        ///< estimate the time of the run in so many processes; 0: do not
  int ranks = 1;                 ///< number of processes that run the network, each with `parts`
  Exchange* exchange = nullptr;  ///< joins the ranks, if this process is one of them
  bool check = false;
  ProgressTo progress = ProgressTo::nobody;
};

/// Runs in this process, writes the result, and returns an ExitCode: kFailed if an invariant did not hold, or
/// if lossless traffic deadlocked. May be called once per process. Errors of the input and of writing are
/// thrown. `read`: the scenario, if it was read already: each copy of a large network takes some megabytes.
int RunHere(const RunRequest& request, const ScenarioFile* read = nullptr);

/// The same in `ranks` processes under MPI on this machine; they are children, and run the program again.
int RunInRanks(const RunRequest& request);
/// Whether this process is such a child.
bool IsLaunchedRank();

/// Whether an interrupted run keeps an existing finished result at `target`, and reports so. A finished
/// result is worth more than a part of another.
bool KeepsFinished(const std::filesystem::path& target);

/// Runs in child processes, at most `jobs` at once; each prints its errors to stderr. Returns the ExitCode of
/// each run: kInterrupted also for a run that was killed or did not begin. SIGINT and SIGTERM end all
/// children.
std::vector<int> RunInChildren(const std::vector<RunRequest>& requests, int jobs);

}  // namespace headroom

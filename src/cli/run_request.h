// One run as a command asks for it: which scenario, which changes, which seed, where the result goes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/progress_line.h"
#include "files/staged_directory.h"

namespace headroom {

/// A command's exit code, for the shell; docs/commands.md explains them.
enum ExitCode : int { kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 3 };

struct ScenarioFile;

struct RunRequest {
  std::string name;  ///< in messages
  std::filesystem::path file;
  std::vector<std::string> sets;      ///< KEY=VALUE, the seed among them
  std::filesystem::path target;       ///< the result directory
  std::vector<std::string> captures;  ///< ports to capture: NODE or NODE:PORT
  Replacing replacing;
  bool check = false;
  ProgressTo progress = ProgressTo::nobody;
};

/// Runs in this process, writes the result, and returns an ExitCode: kFailed where an invariant did not hold,
/// lossless traffic deadlocked included. Once per process. Errors of the input and of writing are thrown.
/// `read`: the scenario, where it was read already: two of a large network are some megabytes.
int RunHere(const RunRequest& request, const ScenarioFile* read = nullptr);

/// Whether an interrupted run leaves the result at `target` alone, and reports it: a finished result is worth
/// more than part of another.
bool KeepsFinished(const std::filesystem::path& target);

/// Runs in child processes, at most `jobs` at once, each with its errors on stderr. Returns the ExitCode of
/// each: kInterrupted, too, for one that was killed or did not begin. SIGINT and SIGTERM end them all.
std::vector<int> RunInChildren(const std::vector<RunRequest>& requests, int jobs);

}  // namespace headroom

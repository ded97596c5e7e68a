// A result directory that appears whole or not at all.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace headroom {

/// A result could not be written or read; the message says which file and why.
struct ResultError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether `dir` holds a result: it is recognised by its summary.json.
bool IsResult(const std::filesystem::path& dir);

/// Whether `dir` holds a result of a run that was not interrupted; such a one is only replaced by force.
bool IsFinishedResult(const std::filesystem::path& dir);

/// The writer of a result, and what it may replace.
struct Replacing {
  bool force = false;  ///< finished results, and what was changed in them, give way
  std::string command = "run";
  bool own = false;  ///< a finished result gives way where the same command wrote it
};

/// Where a result for `target` will be, links followed. Throws ResultError if the folder must not or cannot
/// be put there. It must not if `force` is missing and a finished result is there, if something there is no
/// result, or if somebody else's file would be lost. It cannot if a link leads nowhere or a folder cannot be
/// written. Call it before a run, so that nothing is simulated in vain.
std::filesystem::path CheckTarget(const std::filesystem::path& target, const Replacing& replacing);

/// Removes what processes of this machine that are no more have left beside `target` under the names that
/// PartialBeside gave them.
void RemoveLeftBeside(const std::filesystem::path& target);

/// A name beside `target` for what this process will put in its place. Folders that others have left there
/// are removed, as with RemoveLeftBeside.
std::filesystem::path PartialBeside(const std::filesystem::path& target);

/// A directory under a temporary name beside its target. Fill path(), then Commit(); without it, all is
/// removed.
class StagedDirectory {
 public:
  /// Makes the directory and the target's parents. Throws ResultError, as CheckTarget does.
  StagedDirectory(const std::filesystem::path& target, const Replacing& replacing);
  ~StagedDirectory();
  StagedDirectory(const StagedDirectory&) = delete;
  StagedDirectory& operator=(const StagedDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Puts the directory in the target's place, with a manifest of what is in it (manifest.h). What Headroom
  /// did not write stays in the target. Throws ResultError; then the target is as it was.
  void Commit();

 private:
  std::filesystem::path target_, path_;
  Replacing replacing_;
};

}  // namespace headroom

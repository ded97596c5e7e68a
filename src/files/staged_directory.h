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

/// Whether `dir` contains a result, which its summary.json shows.
bool IsResult(const std::filesystem::path& dir);

/// Whether `dir` contains the result of an uninterrupted run. Such a result is replaced only by force.
bool IsFinishedResult(const std::filesystem::path& dir);

/// The writer of a result, and the files that it may replace.
struct Replacing {
  bool force = false;  ///< replace finished results, even if somebody changed them
  std::string command = "run";
  bool own = false;  ///< replace a finished result that the same command wrote
};

/// The path at which a result for `target` will be, links followed. Throws ResultError if the folder must not
/// or cannot be put there. It must not if a finished result is there without `force`, if the folder contains
/// something else than a result, or if somebody else's file would be lost. It cannot if a link leads nowhere
/// or a folder cannot be written. Call it before a run, so that no run is wasted.
std::filesystem::path CheckTarget(const std::filesystem::path& target, const Replacing& replacing);

/// Removes leftovers beside `target` of this machine's ended processes, under names that PartialBeside gave
/// them.
void RemoveLeftBeside(const std::filesystem::path& target);

/// A name beside `target` for the folder that this process will put in its place. Removes leftovers of other
/// processes, like RemoveLeftBeside.
std::filesystem::path PartialBeside(const std::filesystem::path& target);

/// A directory under a temporary name beside its target. Fill path(), then call Commit(). Without Commit(),
/// everything is removed.
class StagedDirectory {
 public:
  /// Makes the directory and the target's parents. Throws ResultError under the conditions of CheckTarget.
  StagedDirectory(const std::filesystem::path& target, const Replacing& replacing);
  ~StagedDirectory();
  StagedDirectory(const StagedDirectory&) = delete;
  StagedDirectory& operator=(const StagedDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Puts the directory in the target's place, with a manifest of its contents (manifest.h). Files that
  /// Headroom did not write stay in the target. Throws ResultError; then the target is as it was.
  void Commit();

 private:
  std::filesystem::path target_, path_;
  Replacing replacing_;
};

}  // namespace headroom

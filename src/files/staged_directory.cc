#include "files/staged_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "files/manifest.h"
#include "files/process_state.h"

namespace headroom {

namespace fs = std::filesystem;

bool IsResult(const fs::path& dir) {
  std::error_code ignored;
  return fs::is_regular_file(dir / "summary.json", ignored);
}

bool IsFinishedResult(const fs::path& dir) {
  if (!IsResult(dir)) return false;
  std::ifstream in(dir / "summary.json");
  const auto summary = nlohmann::json::parse(in, nullptr, false);
  // An unreadable summary is left alone, like a finished result.
  return !summary.is_object() || !summary.contains("status") || summary["status"] != "interrupted";
}

namespace {

/// The path of `target` after following links. Throws ResultError.
fs::path Followed(const fs::path& target) {
  if (target.empty()) throw ResultError("the folder for the result has an empty name; give another --out");
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(target, error)) && !fs::exists(target, error)) {
    throw ResultError(fmt::format("{}: this path is a link to {}, {}; give another --out", target.string(),
                                  fs::read_symlink(target, error).string(),
                                  fs::status(target, error).type() == fs::file_type::not_found
                                      ? "which does not exist"
                                      : "which leads nowhere"));
  }
  fs::path followed = fs::weakly_canonical(fs::absolute(target, error), error);
  if (error) throw ResultError(fmt::format("{}: cannot be written: {}", target.string(), error.message()));
  return followed.has_filename() ? followed : followed.parent_path();  // "results/x/" means results/x
}

/// Throws ResultError unless a folder can be made at `followed`. `target`: its name in messages.
void CheckFolderOf(const fs::path& followed, const fs::path& target) {
  std::error_code error;
  fs::path folder = followed.parent_path();
  while (folder.has_relative_path() && fs::symlink_status(folder, error).type() == fs::file_type::not_found)
    folder = folder.parent_path();
  int reason = 0;
  if (followed.filename().string().size() > NAME_MAX) {
    reason = ENAMETOOLONG;
  } else if (!fs::is_directory(folder, error)) {
    reason = error ? error.value() : ENOTDIR;
  } else if (access(folder.c_str(), W_OK | X_OK) != 0) {
    reason = errno;
  }
  if (reason != 0)
    throw ResultError(fmt::format("{}: cannot be written: {}", target.string(), std::strerror(reason)));
}

/// The beginning of the names of PartialBeside; the process number follows. It includes the machine: other
/// machines may share the folder, and their processes are unknown here.
std::string PartialName(const fs::path& target) {
  constexpr size_t kMostOfName = 150;  // part of the 255 bytes that a name may have
  char host[65] = {};
  gethostname(host, sizeof host - 1);
  return fmt::format(".{}.partial-{}-", target.filename().string().substr(0, kMostOfName), host);
}

/// Throws ResultError unless the result at `followed`, named `target` in messages, may be replaced.
void CheckGivesWay(const fs::path& followed, const fs::path& target, const Replacing& replacing) {
  const auto refuse = [&](const std::string& why) {
    throw ResultError(fmt::format("{}: {}, or another --out", target.string(), why));
  };
  const Manifest manifest = ReadManifest(followed);
  const auto summary = manifest.find("summary.json");
  const bool own = replacing.own && summary != manifest.end() && summary->second.command == replacing.command;
  if (!replacing.force && !own && IsFinishedResult(followed))
    refuse("holds a finished result; give --force to replace it");
  if (summary == manifest.end())
    refuse(fmt::format("holds a result without {}, so Headroom may not have written it; remove the folder",
                       kManifest));
  if (replacing.force) return;
  if (const auto foreign = ForeignIn(followed, manifest); !foreign.empty())
    refuse(
        fmt::format("holds {}, which Headroom did not write; give --force to keep it and replace the result",
                    foreign.front()));
  if (const auto changed = ChangedIn(followed, manifest); !changed.empty())
    refuse(
        fmt::format("{} has changed since Headroom wrote it; give --force to replace it", changed.front()));
}

/// Also puts files of `target` that Headroom did not write into `stage`, without a copy if both can share it.
/// Throws ResultError if the new result has a file of that name.
void KeepForeign(const fs::path& target, const fs::path& stage) {
  for (const std::string& name : ForeignIn(target, ReadManifest(target))) {
    std::error_code error;
    const fs::path kept = stage / name;
    if (fs::exists(fs::symlink_status(kept, error)))
      throw ResultError(fmt::format(
          "{}: Headroom did not write this file, and the result has a file of this name; move it away",
          (target / name).string()));
    fs::create_directories(kept.parent_path(), error);
    if (!error && link((target / name).c_str(), kept.c_str()) != 0)
      fs::copy(target / name, kept, fs::copy_options::copy_symlinks, error);
    if (error)
      throw ResultError(fmt::format("{}: cannot be kept: {}", (target / name).string(), error.message()));
  }
}

}  // namespace

fs::path CheckTarget(const fs::path& target, const Replacing& replacing) {
  fs::path followed = Followed(target);
  CheckFolderOf(followed, target);
  std::error_code error;
  const fs::file_status status = fs::status(followed, error);
  if (!fs::exists(status)) return followed;
  if (!fs::is_directory(status)) {
    throw ResultError(fmt::format("{}: exists and is not a directory", target.string()));
  }
  if (IsResult(followed)) {
    CheckGivesWay(followed, target, replacing);
    return followed;
  }
  if (!fs::is_empty(followed, error)) {
    throw ResultError(fmt::format(
        "{}: this directory has no summary.json, so it is not a result, and Headroom does not replace "
        "it; give another --out",
        target.string()));
  }
  return followed;
}

void RemoveLeftBeside(const fs::path& target) {
  const std::string begin = PartialName(target);
  const fs::path folder = target.parent_path();
  std::error_code ignored;
  std::vector<fs::path> left;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    pid_t process = 0;
    const char* const last = name.data() + name.size();
    if (!name.starts_with(begin)) continue;
    const auto [stop, error] = std::from_chars(name.data() + begin.size(), last, process);
    if (error == std::errc() && stop == last && process > 0 && !Runs(process)) left.push_back(at->path());
  }
  for (const fs::path& path : left) fs::remove_all(path, ignored);
}

fs::path PartialBeside(const fs::path& target) {
  RemoveLeftBeside(target);
  return target.parent_path() / (PartialName(target) + std::to_string(getpid()));
}

StagedDirectory::StagedDirectory(const fs::path& target, const Replacing& replacing)
    : target_(CheckTarget(target, replacing)), replacing_(replacing) {
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  path_ = PartialBeside(target_);
  if (!error) fs::remove_all(path_, error);
  if (!error) fs::create_directory(path_, error);
  if (error) {
    throw ResultError(fmt::format("{}: cannot be written: {}", target_.string(), error.message()));
  }
}

StagedDirectory::~StagedDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void StagedDirectory::Commit() {
  CheckTarget(target_, replacing_);
  WriteManifest(path_, replacing_.command);
  if (IsResult(target_)) KeepForeign(target_, path_);
  // After an exchange the temporary name holds the replaced result, which the destructor removes.
  const bool replaces = fs::exists(target_);
  const unsigned flags = replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), flags) == 0) return;
  // Some network file systems support neither flag.
  std::error_code error;
  if (replaces) fs::remove_all(target_, error);
  if (!error) fs::rename(path_, target_, error);
  if (error) {
    throw ResultError(fmt::format("{}: the finished folder cannot be moved to this name: {}",
                                  target_.string(), error.message()));
  }
}

}  // namespace headroom

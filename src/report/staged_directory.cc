#include "report/staged_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom {

namespace fs = std::filesystem;

bool IsResult(const fs::path& dir) {
  std::error_code ignored;
  return fs::is_regular_file(dir / "summary.json", ignored);
}

bool IsFinishedResult(const fs::path& dir) {
  std::ifstream in(dir / "summary.json");
  if (!in) return false;
  const auto summary = nlohmann::json::parse(in, nullptr, false);
  // What cannot be read is left alone as a finished result is.
  return !summary.is_object() || summary.value("status", "complete") != "interrupted";
}

void CheckTarget(const fs::path& target, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    throw ResultError(fmt::format("{}: exists and is not a directory", target.string()));
  }
  if (IsResult(target)) {
    if (force || !IsFinishedResult(target)) return;
    throw ResultError(fmt::format("{}: holds a finished result; give --force to replace it, or another --out",
                                  target.string()));
  }
  if (!fs::is_empty(target, error)) {
    throw ResultError(fmt::format(
        "{}: is a directory without a summary.json, so not a result, and is left alone; give another --out",
        target.string()));
  }
}

StagedDirectory::StagedDirectory(const fs::path& target, bool force)
    : target_(fs::absolute(target).lexically_normal()), force_(force) {
  if (!target_.has_filename()) target_ = target_.parent_path();  // "results/x/" names results/x
  CheckTarget(target_, force);
  path_ = target_.parent_path() / fmt::format(".{}.partial-{}", target_.filename().string(), getpid());
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
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
  CheckTarget(target_, force_);
  // After an exchange the temporary name holds the result that was replaced, and the destructor removes that.
  const bool replaces = fs::exists(target_);
  const unsigned flags = replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), flags) == 0) return;
  // Some network file systems know neither flag.
  std::error_code error;
  if (replaces) fs::remove_all(target_, error);
  if (!error) fs::rename(path_, target_, error);
  if (error) {
    throw ResultError(fmt::format("{}: cannot be put in place: {}", target_.string(), error.message()));
  }
}

}  // namespace headroom

// Files that a resolved scenario refers to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// A file that the resolved scenario refers to, and the name of its copy.
struct ReferencedFile {
  std::filesystem::path from;
  std::string name;
};

/// Names the copies of referenced files: input-NAME, with a number if two have the same name.
class ReferencedFiles {
 public:
  /// The path to write for a file, relative to the scenario.
  std::string Add(const std::filesystem::path& from);
  const std::vector<ReferencedFile>& files() const { return files_; }

 private:
  std::vector<ReferencedFile> files_;
};

}  // namespace headroom

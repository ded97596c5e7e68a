// Compares two results line by line.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "files/manifest.h"
#include "support/text_file.h"

namespace headroom {

/// Without what the machine and the program add: `run` and the version in summary.json.
inline std::string ComparableText(const std::filesystem::path& file) {
  std::string text = ReadTextFile(file);
  if (file.filename() != "summary.json") return text;
  auto summary = nlohmann::ordered_json::parse(text);
  summary.erase("run");
  summary.erase("version");
  return summary.dump(1);
}

/// The first line that differs between the files of two folders, as FILE:LINE with both lines; empty: none
/// does.
inline std::string FirstDifference(const std::filesystem::path& one, const std::filesystem::path& other) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const fs::path& folder : {one, other}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path name = fs::relative(entry.path(), folder);
      if (entry.is_regular_file() && name != kManifest) files.push_back(name);
    }
  }
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  for (const fs::path& file : files) {
    if (!fs::exists(one / file) || !fs::exists(other / file))
      return fmt::format("{} is in only one of both results", file.string());
    const std::string expected = ComparableText(one / file), found = ComparableText(other / file);
    if (expected == found) continue;
    std::istringstream lines(expected), others(found);
    for (int number = 1;; ++number) {
      std::string line, there;
      const bool more = static_cast<bool>(std::getline(lines, line));
      const bool more_there = static_cast<bool>(std::getline(others, there));
      if (more && more_there && line == there) continue;
      return fmt::format("{}:{}: expected \"{}\", found \"{}\"", file.string(), number,
                         more ? line : "end of file", more_there ? there : "end of file");
    }
  }
  return {};
}

}  // namespace headroom

// Data that accompanies the project without being part of it: golden rows, other users' configurations.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace headroom {

/// The file or folder beside the source tree; empty if it is missing. A test skips then, and a test without
/// such data checks the same more briefly.
inline std::filesystem::path SharedData(const std::string& below) {
  const auto path = std::filesystem::path(HEADROOM_SOURCE_DIR) / "../shared/data" / below;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

/// The rows of a table without quotes, by column name; lines may end as on Windows.
inline std::vector<std::map<std::string, std::string>> ReadCsv(const std::filesystem::path& path) {
  const auto cells = [](std::string line) {
    if (line.ends_with('\r')) line.pop_back();
    std::vector<std::string> out;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) out.push_back(cell);
    return out;
  };
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> values = cells(line);
    auto& row = rows.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) row[names[i]] = i < values.size() ? values[i] : "";
  }
  return rows;
}

}  // namespace headroom

#include "scenario/yaml/error.h"

#include <fmt/format.h>

#include <tuple>

namespace headroom {

bool Position::Before(const Position& other) const {
  const int order = file ? file->order : 0;
  const int other_order = other.file ? other.file->order : 0;
  return std::tie(order, line, column) < std::tie(other_order, other.line, other.column);
}

std::string Position::ToString() const {
  if (file && (line == 0 || file->argument)) return file->name;
  return fmt::format("{}:{}:{}", file ? file->name : "scenario", line, column);
}

namespace {

std::string Message(const Position& where, const std::string& wrong, const std::string& allowed,
                    const std::string& did_you_mean) {
  std::string text = where.ToString() + ": " + wrong;
  if (!allowed.empty()) text += "; " + allowed;
  if (!did_you_mean.empty()) text += "; did you mean " + did_you_mean + "?";
  return text;
}

}  // namespace

Position WholeFile(const std::filesystem::path& file) {
  Position where;
  where.file = std::make_shared<SourceFile>(SourceFile{file.string(), file.parent_path()});
  where.line = 0;
  return where;
}

ScenarioError::ScenarioError(Position where, const std::string& wrong, const std::string& allowed,
                             const std::string& did_you_mean)
    : std::runtime_error(Message(where, wrong, allowed, did_you_mean)), where_(std::move(where)) {}

}  // namespace headroom

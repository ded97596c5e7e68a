#include "scenario/yaml/other_file.h"

#include <fmt/format.h>

#include "files/whole_text.h"
#include "scenario/yaml/node.h"
#include "scenario/yaml/text_at.h"

namespace headroom {

namespace {

constexpr size_t kLongestPath = 400;

}  // namespace

void RequireReadable(const std::filesystem::path& file, const Position& where) {
  if (const std::string why = WhyNotRead(file); !why.empty())
    throw ScenarioError(where, Quote(file.string(), kLongestPath) + ": " + why);
}

void RefuseUnreadable(const std::filesystem::path& file, const Position& where) {
  throw ScenarioError(where, "cannot read " + Quote(file.string(), kLongestPath));
}

Position BeforeFirstLine(const std::filesystem::path& file, const Position& where) {
  Position at;
  at.file = std::make_shared<SourceFile>(
      SourceFile{file.string(), file.parent_path(), where.file ? where.file->order : 0});
  at.line = 0;
  return at;
}

std::string TextOfOtherFile(const std::filesystem::path& file, const Position& where) {
  RequireReadable(file, where);
  auto text = WholeText(file);
  if (!text) RefuseUnreadable(file, where);
  return std::move(*text);
}

void CheckIsText(std::string_view line, Position where, const char* fix, std::string_view allowed) {
  const size_t wrong = FirstNotText(line);
  if (wrong == std::string_view::npos || allowed.find(line[wrong]) != std::string_view::npos) return;
  where.column = static_cast<int>(wrong) + 1;
  throw ScenarioError(where,
                      fmt::format("the file has the byte \\x{:02x}, which is not text",
                                  static_cast<unsigned char>(line[wrong])),
                      fix);
}

}  // namespace headroom

// Text files of other tools, whose errors name file and line.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "scenario/yaml/error.h"
#include "scenario/yaml/other_file.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// The words of a file, line by line. Blank lines are skipped, and, if `comments` is set, lines that begin
/// with #.
class LineReader {
 public:
  LineReader(const std::filesystem::path& path, const Position& where, bool comments = false)
      : comments_(comments), position_(BeforeFirstLine(path, where)) {
    RequireReadable(path, where);
    stream_.open(path);
    if (!stream_) RefuseUnreadable(path, where);
  }

  /// The words of the next line that has any; empty at the end of the file.
  std::vector<std::string> NextIfAny() {
    std::string line;
    while (std::getline(stream_, line)) {
      ++position_.line;
      std::istringstream words(line);
      std::vector<std::string> split;
      for (std::string word; words >> word;) split.push_back(word);
      if (!split.empty() && !(comments_ && split[0][0] == '#')) return split;
    }
    ++position_.line;
    return {};
  }

  /// The same; throws at the end of the file.
  std::vector<std::string> Next(const char* expected) {
    auto split = NextIfAny();
    if (split.empty())
      throw ScenarioError(position_, "the file ends too early", fmt::format("expected: {}", expected));
    return split;
  }

  /// The same; throws if the line has another number of words.
  std::vector<std::string> Next(const char* expected, size_t words) {
    auto split = Next(expected);
    if (split.size() != words)
      throw ScenarioError(position_, fmt::format("{} values are in the line", split.size()),
                          fmt::format("expected: {}", expected));
    return split;
  }

  const Position& where() const { return position_; }

  Node Word(const std::string& text) const {
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = text;
    node.where = position_;
    return node;
  }
  int64_t Integer(const std::string& text, int64_t least, int64_t most) const {
    return ParseInteger(Word(text), least, most);
  }

 private:
  std::ifstream stream_;
  bool comments_;
  Position position_;
};

}  // namespace headroom

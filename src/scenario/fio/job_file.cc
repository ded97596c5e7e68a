#include "scenario/fio/job_file.h"

#include <fmt/format.h>

#include <sstream>

#include "scenario/yaml/node.h"
#include "scenario/yaml/other_file.h"

namespace headroom::fio {

namespace {

constexpr const char* kFioBlanks = " \t\r\f\v";

/// The line without its comment and trailing blanks.
std::string Stripped(std::string line) {
  line.resize(std::min(line.find_first_of(";#"), line.size()));
  line.resize(line.find_last_not_of(kFioBlanks) + 1);
  return line;
}

Section SectionOf(const std::string& line, size_t begin, const Position& where) {
  if (line.back() != ']' || line.size() < begin + 3)
    throw ScenarioError(where, Quote(line.substr(begin)) + " is not a section", "a section is [name]");
  Section section;
  section.name = {line.substr(begin + 1, line.size() - begin - 2), where};
  section.global = section.name.text.starts_with("global");
  return section;
}

Line LineOf(const std::string& text, size_t begin, Position where) {
  Line line;
  const size_t equals = text.find('=');
  line.bare = equals == std::string::npos;
  line.key.text = text.substr(begin, line.bare ? std::string::npos : equals - begin);
  line.key.text.resize(line.key.text.find_last_not_of(kFioBlanks) + 1);
  line.key.where = line.value.where = where;
  if (!line.bare) {
    line.value.text = text.substr(equals + 1);
    line.value.where.column = static_cast<int>(equals) + 2;
  }
  if (const size_t at = text.find('$'); at != std::string::npos) {
    where.column = static_cast<int>(at) + 1;
    throw ScenarioError(where, "variables are not supported", "the value itself");
  }
  return line;
}

}  // namespace

std::vector<Section> ReadSections(const std::filesystem::path& file, const Position& where) {
  std::istringstream lines(TextOfOtherFile(file, where));
  Position at = BeforeFirstLine(file, where);
  std::vector<Section> sections;
  for (std::string line; std::getline(lines, line);) {
    ++at.line;
    line = Stripped(line);
    const size_t begin = line.find_first_not_of(kFioBlanks);
    if (begin == std::string::npos) continue;
    CheckIsText(
        line, at,
        "give a job file, which is text");  // control characters would reach terminals and JSON with the text
    at.column = static_cast<int>(begin) + 1;
    if (line[begin] == '[') {
      sections.push_back(SectionOf(line, begin, at));
      continue;
    }
    const std::string rest = line.substr(begin);
    if (rest.substr(0, rest.find_first_of(" \t=")) == "include")
      throw ScenarioError(at, "\"include\" is not supported", "one file with all sections");
    if (sections.empty())
      throw ScenarioError(at, Quote(rest) + " stands before the first section", "[name] before it");
    sections.back().lines.push_back(LineOf(line, begin, at));
  }
  return sections;
}

}  // namespace headroom::fio

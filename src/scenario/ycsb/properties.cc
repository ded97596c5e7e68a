#include "scenario/ycsb/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "scenario/yaml/node.h"
#include "scenario/yaml/other_file.h"

namespace headroom::ycsb {

namespace {

constexpr const char* kJavaBlanks = " \t\f";

/// Whether the `\` at the end of a line is not itself escaped.
bool GoesOn(const std::string& line) {
  const size_t last = line.find_last_not_of('\\');
  return (line.size() - (last == std::string::npos ? 0 : last + 1)) % 2 == 1;
}

void AddUtf8(std::string& out, unsigned code) {
  constexpr unsigned kOneByte = 0x80, kTwoBytes = 0x800;
  if (code < kOneByte) {
    out += static_cast<char>(code);
  } else if (code < kTwoBytes) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

unsigned Hex(const std::string& text, size_t at, const Position& where) {
  const std::string digits = text.substr(at, 4);
  if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    throw ScenarioError(where, Quote("\\u" + digits) + " is not a character",
                        "write \\u and four hexadecimal digits");
  return static_cast<unsigned>(std::stoul(digits, nullptr, 16));
}

/// Reads a key or value up to an unescaped character of `ends`. `at` moves to that character.
std::string Unescaped(const std::string& line, size_t& at, const std::string& ends, const Position& where) {
  std::string out;
  for (; at < line.size() && ends.find(line[at]) == std::string::npos; ++at) {
    if (line[at] != '\\' || at + 1 == line.size()) {
      out += line[at];
      continue;
    }
    constexpr const char* kNames = "tnrf";
    constexpr const char* kStandFor = "\t\n\r\f";
    const char named = line[++at];
    const char* const found = std::char_traits<char>::find(kNames, 4, named);
    if (named == 'u') {
      AddUtf8(out, Hex(line, at + 1, where));
      at += 4;
    } else {
      out += found ? kStandFor[found - kNames] : named;
    }
  }
  return out;
}

Property PropertyOf(const std::string& line, const Position& where) {
  Property property;
  property.where = where;
  size_t at = 0;
  property.key = Unescaped(line, at, std::string(kJavaBlanks) + "=:", where);
  at = std::min(line.find_first_not_of(kJavaBlanks, at), line.size());
  if (at < line.size() && (line[at] == '=' || line[at] == ':'))
    at = std::min(line.find_first_not_of(kJavaBlanks, at + 1), line.size());
  property.value = Unescaped(line, at, "", where);
  // Java keeps trailing blanks; no YCSB key has a value with one.
  property.value.resize(property.value.find_last_not_of(kJavaBlanks) + 1);
  return property;
}

}  // namespace

void Set(std::vector<Property>& properties, const Property& property) {
  const auto found = std::ranges::find(properties, property.key, &Property::key);
  if (found == properties.end()) {
    properties.push_back(property);
  } else {
    *found = property;
  }
}

std::vector<Property> ReadProperties(const std::filesystem::path& file, const Position& where) {
  std::istringstream lines(TextOfOtherFile(file, where));
  Position at = BeforeFirstLine(file, where);
  std::vector<Property> properties;
  std::string whole;
  Position begin = at;
  for (std::string line; std::getline(lines, line);) {
    ++at.line;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    CheckIsText(line, at, "give a text file of properties", "\f");
    const size_t first = line.find_first_not_of(kJavaBlanks);
    if (whole.empty()) {
      if (first == std::string::npos || line[first] == '#' || line[first] == '!') continue;
      begin = at;
      begin.column = static_cast<int>(first) + 1;
    }
    whole += first == std::string::npos ? "" : line.substr(first);
    if (GoesOn(line)) {
      whole.pop_back();
      if (!whole.empty() && lines.peek() != EOF) continue;
    }
    Set(properties, PropertyOf(whole, begin));
    whole.clear();
  }
  if (!whole.empty()) Set(properties, PropertyOf(whole, begin));
  return properties;
}

}  // namespace headroom::ycsb

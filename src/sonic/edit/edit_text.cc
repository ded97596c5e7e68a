#include "sonic/edit/edit_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

namespace headroom {

namespace {

/// A part of the text: [begin, end).
struct Span {
  size_t begin = 0, end = 0;
};
struct Member {
  Span key, value;
};

/// Parses text that is known to be valid JSON.
class JsonText {
 public:
  explicit JsonText(const std::string& text) : text_(text) {}

  Span Root() const { return ValueAt(SkipBlanks(0)); }
  std::string Part(const Span& span) const { return text_.substr(span.begin, span.end - span.begin); }

  /// Empty for a value that is not an object.
  std::vector<Member> Members(const Span& object) const {
    std::vector<Member> members;
    if (text_[object.begin] != '{') return members;
    size_t at = SkipBlanks(object.begin + 1);
    while (text_[at] != '}') {
      const Span key = ValueAt(at);
      const Span value = ValueAt(SkipBlanks(SkipBlanks(key.end) + 1));
      members.push_back({key, value});
      at = SkipBlanks(value.end);
      if (text_[at] == ',') at = SkipBlanks(at + 1);
    }
    return members;
  }

  std::optional<Member> Find(const Span& object, const std::string& name) const {
    const std::string quoted = nlohmann::json(name).dump();
    std::optional<Member> found;
    for (const Member& member : Members(object)) {
      const std::string key = Part(member.key);
      const bool escaped = key.find('\\') != std::string::npos;
      if (key == quoted || (escaped && nlohmann::json::parse(key) == name)) found = member;
    }
    return found;
  }

 private:
  size_t SkipBlanks(size_t at) const { return text_.find_first_not_of(" \t\r\n", at); }

  size_t EndOfString(size_t at) const {
    for (++at; text_[at] != '"'; ++at) at += text_[at] == '\\' ? 1 : 0;
    return at + 1;
  }

  Span ValueAt(size_t begin) const {
    if (text_[begin] == '"') return {begin, EndOfString(begin)};
    if (text_[begin] != '{' && text_[begin] != '[') {
      return {begin, std::min(text_.find_first_of(",]} \t\r\n", begin), text_.size())};
    }
    int depth = 0;
    size_t at = begin;
    do {
      if (text_[at] == '"') {
        at = EndOfString(at);
        continue;
      }
      depth += text_[at] == '{' || text_[at] == '[' ? 1 : text_[at] == '}' || text_[at] == ']' ? -1 : 0;
      ++at;
    } while (depth > 0);
    return {begin, at};
  }

  const std::string& text_;
};

std::optional<Span> FindRow(const JsonText& json, const std::string& table, const std::string& key) {
  if (const auto flat = json.Find(json.Root(), table + '|' + key)) return flat->value;
  const auto rows = json.Find(json.Root(), table);
  if (!rows) return std::nullopt;
  const auto row = json.Find(rows->value, key);
  return row ? std::optional(row->value) : std::nullopt;
}

}  // namespace

std::string WithSonicField(const std::string& text, const std::string& table, const std::string& key,
                           const std::string& field, const std::string& value) {
  const JsonText json(text);
  const std::optional<Span> row = FindRow(json, table, key);
  if (!row) throw std::out_of_range("there is no " + table + '|' + key);
  const std::string quoted = nlohmann::json(value).dump();
  std::string out = text;
  if (const auto old = json.Find(*row, field)) {
    return out.replace(old->value.begin, old->value.end - old->value.begin, quoted);
  }
  const std::string name = nlohmann::json(field).dump();
  const std::vector<Member> members = json.Members(*row);
  if (members.empty()) return out.insert(row->begin + 1, name + ": " + quoted);
  // The text before the last key, back to the bracket or comma, and the text between key and value.
  const Member& last = members.back();
  const size_t before = text.find_last_not_of(" \t\r\n", last.key.begin - 1) + 1;
  return out.insert(last.value.end, ',' + json.Part({before, last.key.begin}) + name +
                                        json.Part({last.key.end, last.value.begin}) + quoted);
}

}  // namespace headroom

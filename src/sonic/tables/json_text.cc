#include "sonic/tables/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sonic/tables/read.h"

namespace headroom {

namespace {

constexpr int kDeepest = 16;  // SONiC's tables have three levels

struct TextPlace {
  int line = 1, column = 1;
};

/// The line and column of the character at `offset`, both counted from 0.
TextPlace PlaceOf(const std::string& text, size_t offset) {
  offset = std::min(offset, text.size());
  TextPlace place;
  for (size_t i = 0; i < offset; ++i) {
    ++place.column;
    if (text[i] != '\n') continue;
    ++place.line;
    place.column = 1;
  }
  return place;
}

[[noreturn]] void Fail(const std::string& text, const std::string& file, size_t offset,
                       const std::string& what) {
  const TextPlace place = PlaceOf(text, offset);
  throw SonicSyntaxError(file, place.line, place.column, what);
}

/// Protects recursive code (the JSON library's writer) from a nesting that only an attack has.
void CheckDepth(const std::string& text, const std::string& file) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest)
        Fail(text, file, i,
             fmt::format("values are nested more than {} deep; a config_db.json consists of tables of "
                         "rows of fields",
                         kDeepest));
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
}

/// The part "syntax error while parsing …" of the library's message, without its position.
std::string Reason(const std::string& message) {
  const std::string mark = "column ";
  const size_t column = message.find(mark);
  const size_t begin = column == std::string::npos ? std::string::npos : message.find(": ", column);
  if (begin != std::string::npos) return message.substr(begin + 2);
  const size_t bracket = message.find("] ");
  return bracket == std::string::npos ? message : message.substr(bracket + 2);
}

/// Finds repeated keys of one object during parsing.
class Duplicates {
 public:
  explicit Duplicates(SonicFindings& findings) : findings_(findings) {}

  bool Meet(nlohmann::ordered_json::parse_event_t event, const nlohmann::ordered_json& parsed) {
    using Event = nlohmann::ordered_json::parse_event_t;
    if (event == Event::object_start) {
      open_.emplace_back();
    } else if (event == Event::object_end) {
      open_.pop_back();
    } else if (event == Event::key) {
      const std::string key = parsed.get<std::string>();
      open_.back().last = key;
      if (!open_.back().keys.insert(key).second) Tell();
    }
    return true;
  }

 private:
  struct Object {
    std::set<std::string> keys;
    std::string last;
  };

  void Tell() {
    SonicPlace place;
    place.table = open_[0].last;
    size_t next = 1;
    if (const size_t bar = place.table.find('|'); bar != std::string::npos) {
      place.key = place.table.substr(bar + 1);
      place.table.resize(bar);
    } else if (open_.size() > next) {
      place.key = open_[next++].last;
    }
    if (open_.size() > next) place.field = open_[next].last;
    findings_.Warning(place, "appears twice in the file; SONiC uses the last");
  }

  SonicFindings& findings_;
  std::vector<Object> open_;
};

}  // namespace

nlohmann::ordered_json ParseSonicJson(const std::string& text, const std::string& file,
                                      SonicFindings& findings) {
  using Json = nlohmann::ordered_json;
  CheckDepth(text, file);
  Duplicates duplicates(findings);
  Json json;
  try {
    json = Json::parse(
        text, [&](int, Json::parse_event_t event, Json& parsed) { return duplicates.Meet(event, parsed); });
  } catch (const Json::parse_error& e) {
    Fail(text, file, e.byte == 0 ? 0 : e.byte - 1, Reason(e.what()));
  } catch (const Json::exception& e) {  // a number that does not fit into a double; the message quotes it
    const std::string message = e.what();
    const size_t begin = message.find('\'') + 1;
    const std::string number = message.substr(begin, message.rfind('\'') - begin);
    Fail(text, file, std::min(text.find(number), text.size()), Reason(message));
  }
  if (!json.is_object())
    Fail(text, file, text.find_first_not_of(" \t\r\n"), "is not a JSON object of tables");
  return json;
}

}  // namespace headroom

#include "sonic/tables/row_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace headroom {

namespace {

constexpr const char* kBlanks = " \t\r\n";

std::optional<int64_t> ParseWhole(const std::string& text) {
  int64_t n = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, n);
  if (error != std::errc() || stop != end) return std::nullopt;
  return n;
}

std::string Quoted(const std::string& text) {
  return '"' + (text.size() > 60 ? text.substr(0, 57) + "..." : text) + '"';
}

}  // namespace

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string> CommaParts(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t comma = text.find(',', begin);
    parts.push_back(Trimmed(text.substr(begin, comma - begin)));
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

std::optional<std::string> SonicRowReader::TextOf(const std::string& field, SonicPlace& place) {
  known_.insert(field);
  place = place_;
  place.field = field;
  const auto found = row_.find(field);
  if (found == row_.end()) return std::nullopt;
  const nlohmann::ordered_json& value = *found;
  if (value.is_number() || value.is_boolean()) {
    findings_.Warning(place, fmt::format("is a {} without quotes; every value of config_db.json is a text",
                                         value.is_number() ? "number" : "truth value"));
    return value.dump();
  }
  if (value.is_array()) {
    std::string joined;
    for (const auto& part : value) {
      if (!part.is_string()) {
        findings_.Error(place, "is a list with values other than texts",
                        "write one text, with commas between the values");
        return std::nullopt;
      }
      joined += (joined.empty() ? "" : ",") + part.get<std::string>();
    }
    findings_.Warning(place, "is a list, not one text with commas between the values");
    return joined;
  }
  if (!value.is_string()) {
    findings_.Error(place, fmt::format("is {}", value.is_null() ? "null" : "a map"), "write a text");
    return std::nullopt;
  }
  const std::string text = value.get<std::string>();
  std::string trimmed = Trimmed(text);
  if (trimmed.size() != text.size()) findings_.Note(place, "has blanks around its value, which are ignored");
  return trimmed;
}

std::optional<int64_t> SonicRowReader::WholeNumber(const std::string& field, SonicPlace& place, int64_t least,
                                                   int64_t most) {
  const auto text = TextOf(field, place);
  if (!text) return std::nullopt;
  const auto n = ParseWhole(*text);
  if (n && *n >= least && *n <= most) return n;
  findings_.Error(place, Quoted(*text) + (n ? " is out of range" : " is not a whole number"),
                  fmt::format("allowed: {} to {}", least, most));
  return std::nullopt;
}

std::optional<std::string> SonicRowReader::NameOf(const std::string& text, const std::string& table,
                                                  const SonicPlace& place) {
  if (text.empty() || text == "[]") return std::nullopt;
  std::string name = text;
  const bool opens = name.front() == '[', closes = name.back() == ']';
  if (opens != closes || name.size() < 2 - static_cast<size_t>(!opens)) {
    findings_.Error(place, Quoted(text) + " has an opening or closing bracket without the other",
                    fmt::format("write the name, or the old form [{}|name]", table));
    return std::nullopt;
  }
  if (opens) name = name.substr(1, name.size() - 2);
  if (const size_t bar = name.find('|'); bar != std::string::npos) {
    if (name.substr(0, bar) != table) {
      findings_.Error(place, Quoted(text) + " refers to another table", "it must refer to " + table);
      return std::nullopt;
    }
    name.erase(0, bar + 1);
  }
  name = Trimmed(name);
  if (name.empty()) {
    findings_.Error(place, Quoted(text) + " names nothing", "it must name a row of " + table);
    return std::nullopt;
  }
  return name;
}

void SonicRowReader::Text(const std::string& field, SonicValue<std::string>& out) {
  out.value = TextOf(field, out.place);
}

void SonicRowReader::Reference(const std::string& field, const std::string& table,
                               SonicValue<std::string>& out) {
  if (const auto text = TextOf(field, out.place)) out.value = NameOf(*text, table, out.place);
}

void SonicRowReader::References(const std::string& field, const std::string& table,
                                SonicValue<std::vector<std::string>>& out) {
  const auto text = TextOf(field, out.place);
  if (!text) return;
  // Old lists put brackets around each name, "[T|a],[T|b]", or around all, "[T|a,T|b]".
  std::string list = *text;
  if (list.size() >= 2 && list.front() == '[' && list.back() == ']' && list.find(']') == list.size() - 1)
    list = list.substr(1, list.size() - 2);
  out.value.emplace();
  for (const std::string& part : CommaParts(list))
    if (const auto name = NameOf(part, table, out.place)) out.value->push_back(*name);
}

void SonicRowReader::Size(const std::string& field, SonicValue<Bytes>& out) {
  if (const auto n = WholeNumber(field, out.place, 0, kLargestSonicSize)) out.value = Bytes(*n);
}

void SonicRowReader::Milliseconds(const std::string& field, SonicValue<Time>& out, int64_t least,
                                  int64_t most) {
  if (const auto n = WholeNumber(field, out.place, least, most)) out.value = headroom::Milliseconds(*n);
}

void SonicRowReader::Flag(const std::string& field, SonicValue<bool>& out, const char* yes, const char* no) {
  Choice<bool>(field, out, {{yes, true}, {no, false}});
}

void SonicRowReader::Mask(const std::string& field, SonicValue<uint8_t>& out) {
  const auto text = TextOf(field, out.place);
  if (!text) return;
  uint8_t mask = 0;
  if (!text->empty()) {
    for (const std::string& part : CommaParts(*text)) {
      const auto n = ParseWhole(part);
      if (!n || *n < 0 || *n > 7) {
        findings_.Error(out.place, Quoted(*text) + " is not a list of priorities",
                        "such as \"3,4\", each 0 to 7");
        return;
      }
      mask = static_cast<uint8_t>(mask | 1u << *n);
    }
  }
  out.value = mask;
}

void SonicRowReader::FailChoice(const SonicPlace& place, const std::string& text,
                                const std::vector<std::string>& names) {
  findings_.Error(place, Quoted(text) + " is not an allowed value of this field",
                  fmt::format("allowed: {}", fmt::join(names, ", ")));
}

void SonicRowReader::Finish() {
  for (const auto& [field, value] : row_.items()) {
    if (known_.contains(field) || field == "NULL") continue;  // redis has no empty rows: NULL marks one
    SonicPlace place = place_;
    place.field = field;
    findings_.Note(place, "Headroom does not use this field, but keeps it");
  }
}

}  // namespace headroom

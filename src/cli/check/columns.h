// A table of a check: its columns are described once, for JSON and for people.
#pragma once

#include <concepts>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/quantity_text.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

/// A value in JSON: bytes, bit/s, microseconds; null for none.
inline nlohmann::ordered_json ColumnJson(Bytes bytes) { return bytes.v; }
inline nlohmann::ordered_json ColumnJson(Rate rate) { return rate.v; }
inline nlohmann::ordered_json ColumnJson(Time time) { return InMicroseconds(time); }
template <typename T>
nlohmann::ordered_json ColumnJson(const T& value) {
  return value;
}
template <typename T>
nlohmann::ordered_json ColumnJson(const std::optional<T>& value) {
  return value ? ColumnJson(*value) : nlohmann::ordered_json();
}

/// A value in the text.
struct ColumnText {
  std::string operator()(Bytes bytes) const { return SizeText(bytes); }
  std::string operator()(Rate rate) const { return FormatRate(rate); }
  std::string operator()(Time time) const { return FormatTime(time); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(std::integral auto n) const { return std::to_string(n); }
};

/// At most so many characters of a text.
struct UpTo {
  size_t width;
  std::string operator()(const std::string& text) const { return Shorten(text, width); }
};

/// A list of items, each as JSON.
nlohmann::ordered_json JsonList(const auto& items, auto as_json) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& item : items) list.push_back(as_json(item));
  return list;
}

/// The columns of a table with a row for each `Row`, in order. `value` is a member of the row, or a function
/// of it; `text` prints a value. Texts stand left, other values right.
template <typename Row>
class Columns {
 public:
  template <typename Value, typename Text = ColumnText>
  Columns& Both(const char* key, const char* head, Value value, Text text = {}) {
    return InJson(key, value).InText(head, value, text);
  }
  template <typename Value>
  Columns& InJson(const char* key, Value value) {
    fields_.push_back({key, [value](const Row& row) { return ColumnJson(std::invoke(value, row)); }});
    return *this;
  }
  template <typename Value, typename Text = ColumnText>
  Columns& InText(const char* head, Value value, Text text = {}) {
    using Held = std::invoke_result_t<Value, const Row&>;
    alignment_ += std::is_convertible_v<Held, std::string> ? 'l' : 'r';
    head_.emplace_back(head);
    cells_.push_back([value, text](const Row& row) { return text(std::invoke(value, row)); });
    return *this;
  }

  nlohmann::ordered_json Json(const Row& row) const {
    auto json = nlohmann::ordered_json::object();
    for (const auto& [key, value] : fields_) json[key] = value(row);
    return json;
  }
  nlohmann::ordered_json Json(const std::vector<Row>& rows) const {
    return JsonList(rows, [&](const Row& row) { return Json(row); });
  }

  std::vector<std::string> Cells(const Row& row) const {
    std::vector<std::string> cells;
    for (const auto& print : cells_) cells.push_back(print(row));
    return cells;
  }
  /// Empty without rows.
  std::string Text(const std::vector<Row>& rows) const {
    if (rows.empty()) return "";
    TextTable table(alignment_, head_);
    for (const Row& row : rows) table.AddRow(Cells(row));
    return table.ToString();
  }

 private:
  std::vector<std::pair<const char*, std::function<nlohmann::ordered_json(const Row&)>>> fields_;
  std::string alignment_;
  std::vector<std::string> head_;
  std::vector<std::function<std::string(const Row&)>> cells_;
};

}  // namespace headroom

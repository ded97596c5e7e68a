#include "scenario/keys/kind.h"

#include <fmt/format.h>

#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

std::string Ref(const char* definition) {
  return fmt::format(R"({{"$ref": "#/definitions/{}"}})", definition);
}

std::string JsonText(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) (out += c == '"' || c == '\\' ? "\\" : "") += c;
  return out + '"';
}

std::string JsonTexts(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) (out += out.empty() ? "" : ", ") += JsonText(text);
  return '[' + out + ']';
}

/// A kind for whole numbers of a unit.
template <class Q>
KindOf<Q> CountsOf(Q unit, int64_t least, int64_t most) {
  return {ShapeOfIntegers(least, most),
          [=](const Node& node, Q& out, Reading&) { out = unit * ParseInteger(node, least, most); },
          [=](const Q& value, const Writing&) { return std::to_string(value / unit); }};
}

}  // namespace

KindOf<Time> Times(Time least, Time most) {
  return {{"time", FormatTime(least) + " to " + FormatTime(most), Ref("time")},
          [=](const Node& node, Time& out, Reading&) { out = ParseTime(node, least, most); },
          [](const Time& value, const Writing&) { return FormatTime(value); }};
}

KindOf<Rate> Rates(Rate least, Rate most) {
  return {{"rate", FormatRate(least) + " to " + FormatRate(most), Ref("rate")},
          [=](const Node& node, Rate& out, Reading&) { out = ParseRate(node, least, most); },
          [](const Rate& value, const Writing&) { return FormatRate(value); }};
}

KindOf<Bytes> Sizes(Bytes least, Bytes most) {
  return {{"size", FormatSize(least) + " to " + FormatSize(most), Ref("size")},
          [=](const Node& node, Bytes& out, Reading&) { out = ParseSize(node, least, most); },
          [](const Bytes& value, const Writing&) { return FormatSize(value); }};
}

KindOf<Time> Counts(Time unit, int64_t least, int64_t most) { return CountsOf(unit, least, most); }
KindOf<Rate> Counts(Rate unit, int64_t least, int64_t most) { return CountsOf(unit, least, most); }
KindOf<Bytes> Counts(Bytes unit, int64_t least, int64_t most) { return CountsOf(unit, least, most); }

KindOf<bool> Flag() {
  return {{"flag", "true or false", R"({"type": "boolean"})"},
          [](const Node& node, bool& out, Reading&) { out = ParseFlag(node); },
          [](const bool& value, const Writing&) { return std::string(value ? "true" : "false"); }};
}

KindOf<std::string> Text() {
  return {{"text", "", R"({"type": "string"})"},
          [](const Node& node, std::string& out, Reading&) { out = ParseText(node); },
          [](const std::string& value, const Writing&) { return WriteTexts({value}); }};
}

KindOf<std::string> Name() {
  return {{"name", "letters, digits, _ and -", Ref("name")},
          [](const Node& node, std::string& out, Reading&) { out = ParseName(node); },
          [](const std::string& value, const Writing&) { return WriteTexts({value}); }};
}

KindOf<std::vector<std::string>> Texts() {
  return {{"texts", "", Ref("texts")},
          [](const Node& node, std::vector<std::string>& out, Reading&) { out = ParseTexts(node); },
          [](const std::vector<std::string>& values, const Writing&) { return WriteTexts(values); }};
}

KindOf<double> Fractions(double most, bool zero) {
  return {{"fraction", fmt::format("{} to {}%", zero ? "0" : "above 0", most * 100), Ref("fraction")},
          [=](const Node& node, double& out, Reading&) { out = ParseFraction(node, zero, most); },
          [](const double& value, const Writing&) { return FormatNumber(value); }};
}

KindOf<double> Numbers(double least, double most) {
  return {{"number", fmt::format("{} to {}", least, most),
           fmt::format(R"({{"type": "number", "minimum": {}, "maximum": {}}})", least, most)},
          [=](const Node& node, double& out, Reading&) { out = ParseNumber(node, least, most); },
          [](const double& value, const Writing&) { return FormatNumber(value); }};
}

KindOf<double> Clocks() {
  constexpr int64_t kLeast = 1'000'000, kMost = 100'000'000'000;
  const std::string bounds = FormatClock(kLeast) + " to " + FormatClock(kMost);
  return {{"clock rate", bounds, Ref("clock_rate")},
          [=](const Node& node, double& out, Reading&) {
            const int64_t hertz = ParseClock(node);
            if (hertz < kLeast || hertz > kMost)
              throw ScenarioError(node.where, Quote(node.text) + " is out of range", "allowed: " + bounds);
            out = static_cast<double>(hertz);
          },
          [](const double& hertz, const Writing&) {
            return hertz > 0 ? FormatClock(static_cast<int64_t>(hertz)) : "";
          }};
}

Shape ShapeOfIntegers(int64_t least, int64_t most) {
  if (most == INT64_MAX)
    return {"whole number", fmt::format("from {}", least),
            fmt::format(R"({{"type": "integer", "minimum": {}}})", least)};
  return {"whole number", fmt::format("{} to {}", least, most),
          fmt::format(R"({{"type": "integer", "minimum": {}, "maximum": {}}})", least, most)};
}

Shape ShapeOfChoice(const std::vector<std::string>& names) {
  return {"choice", Join(names), fmt::format(R"({{"enum": {}}})", JsonTexts(names))};
}

Shape ShapeOrWord(const char* word, Shape shape) {
  shape.bounds = shape.bounds.empty() ? word : fmt::format("{}, or {}", word, shape.bounds);
  shape.schema = fmt::format(R"({{"oneOf": [{{"const": "{}"}}, {}]}})", word, shape.schema);
  return shape;
}

Shape ShapeOfList(Shape items, size_t least, std::string step) {
  items.kind = "list";
  items.schema = fmt::format(R"({{"type": "array", "minItems": {}, "items": {}}})", least, items.schema);
  items.step = std::move(step);
  return items;
}

}  // namespace headroom::keys

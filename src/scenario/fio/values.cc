#include "scenario/fio/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/node.h"

namespace headroom::fio {

namespace {

constexpr int64_t kMostFioNumber = int64_t{1} << 50;

struct Number {
  int64_t value = 0;
  std::string unit;  ///< in lower case
};

/// Digits, possibly behind 0x, and letters.
Number NumberOf(const Text& value, const char* what, const char* allowed) {
  std::string text = value.text.substr(std::min(value.text.find_first_not_of(' '), value.text.size()));
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (text.starts_with('('))
    throw ScenarioError(value.where, "arithmetic in ( ) is not supported", "the value itself");
  const bool hex = text.starts_with("0x");
  const char* const begin = text.data() + (hex ? 2 : 0);
  const char* const end = text.data() + text.size();
  Number number;
  const auto [stop, error] = std::from_chars(begin, end, number.value, hex ? 16 : 10);
  const bool negative =
      text.size() > 1 && text[0] == '-' && std::isdigit(static_cast<unsigned char>(text[1]));
  if (negative) throw ScenarioError(value.where, Quote(value.text) + " is negative", "0 or more");
  if (error != std::errc())
    throw ScenarioError(value.where, fmt::format("{} is not {}", Quote(value.text), what), allowed);
  number.unit.assign(stop, end);
  return number;
}

ScenarioError OutOfRange(const Text& value, const std::string& least, const std::string& most) {
  return {value.where, Quote(value.text) + " is out of range", fmt::format("allowed: {} to {}", least, most)};
}

int64_t Times(const Text& value, int64_t number, int64_t by) {
  if (number > kMostFioNumber / by) throw OutOfRange(value, "0", "1p");
  return number * by;
}

}  // namespace

int64_t ParseFioNumber(const Text& value, int kb_base) {
  Number number = NumberOf(value, "a number", "allowed: a whole number, optionally with k, m, g, t or p");
  if (number.unit.empty() || number.unit == "b") return Times(value, number.value, 1);
  const size_t power = std::string("kmgtp").find(number.unit[0]);
  const std::string rest = number.unit.substr(1);
  if (power == std::string::npos || (!rest.empty() && rest != "b" && rest != "i" && rest != "ib"))
    throw ScenarioError(value.where, fmt::format("{} does not end with a unit of fio", Quote(value.text)),
                        "allowed: b, k, m, g, t, p, kb, kib and so on");
  const int base = rest == "ib" ? 2024 - kb_base : kb_base;
  int64_t by = base;
  for (size_t i = 0; i < power; ++i) by *= base;
  return Times(value, number.value, by);
}

int64_t ParseFioNumber(const Text& value, int kb_base, int64_t least, int64_t most) {
  const int64_t number = ParseFioNumber(value, kb_base);
  if (number < least || number > most) throw OutOfRange(value, std::to_string(least), std::to_string(most));
  return number;
}

Amount ParseFioAmount(const Text& value, int kb_base) {
  Amount amount;
  amount.given = true;
  amount.where = value.where;
  if (value.text.ends_with('%')) {
    amount.percent = true;
    amount.value =
        ParseFioNumber({value.text.substr(0, value.text.size() - 1), value.where}, kb_base, 0, 100);
  } else {
    amount.value = ParseFioNumber(value, kb_base);
  }
  return amount;
}

int64_t ParseFioTime(const Text& value, int64_t bare) {
  constexpr int64_t kSecond = 1'000'000;
  constexpr std::pair<const char*, int64_t> kUnits[] = {
      {"us", 1},      {"usec", 1},         {"ms", 1000},          {"msec", 1000},
      {"s", kSecond}, {"m", 60 * kSecond}, {"h", 3600 * kSecond}, {"d", 86'400 * kSecond}};
  const Number number =
      NumberOf(value, "a time", "allowed: a whole number, optionally with us, ms, s, m, h or d");
  if (number.unit.empty()) return Times(value, number.value, bare);
  for (const auto& [unit, us] : kUnits)
    if (number.unit == unit) return Times(value, number.value, us);
  throw ScenarioError(value.where,
                      fmt::format("{} does not end with a unit of time of fio", Quote(value.text)),
                      "allowed: us, usec, ms, msec, s, m, h, d");
}

bool ParseFioFlag(const Line& line) {
  if (line.bare) return true;
  return ParseFioNumber(line.value, 1024, 0, 1) == 1;
}

double ParseFioDecimal(const Text& value, double least, double most) {
  double number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, number);
  if (error != std::errc() || stop != end)
    throw ScenarioError(value.where, Quote(value.text) + " is not a number",
                        fmt::format("allowed: {:g} to {:g}", least, most));
  if (!(number >= least && number <= most))
    throw OutOfRange(value, fmt::format("{:g}", least), fmt::format("{:g}", most));
  return number;
}

size_t ParseFioWord(const Text& value, const std::vector<std::string>& words) {
  const auto found = std::ranges::find(words, value.text);
  if (found != words.end()) return static_cast<size_t>(found - words.begin());
  if (value.text.starts_with(' '))
    throw ScenarioError(value.where, "remove the blank after =; fio takes it as part of the value",
                        "no blank");
  throw ScenarioError(value.where, Quote(value.text) + " is not an allowed value", "allowed: " + Join(words),
                      Nearest(value.text, words));
}

std::vector<Text> Split(const Text& value, char separator) {
  std::vector<Text> parts;
  for (size_t begin = 0;;) {
    const size_t end = std::min(value.text.find(separator, begin), value.text.size());
    Position where = value.where;
    where.column += static_cast<int>(begin);
    parts.push_back({value.text.substr(begin, end - begin), where});
    if (end == value.text.size()) return parts;
    begin = end + 1;
  }
}

std::array<Text, 2> SplitSides(const Text& value) {
  std::vector<Text> sides = Split(value, ',');
  if (sides.size() > 3) throw ScenarioError(sides[3].where, "a fourth list", "allowed: reads,writes,trims");
  if (sides.size() == 1) sides.push_back(sides[0]);
  return {sides[0], sides[1]};
}

}  // namespace headroom::fio

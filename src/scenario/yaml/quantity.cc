#include "scenario/yaml/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "scenario/yaml/nearest.h"

namespace headroom {

namespace {

struct Unit {
  const char* name;
  int64_t scale;
};
struct Dimension {
  const char* what;     // "a time"
  const char* suggest;  // the unit proposed for a bare number
  std::span<const Unit> units;
};

constexpr Unit kTimeUnits[] = {
    {"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
constexpr Unit kRateUnits[] = {
    {"bps", 1}, {"Kbps", 1'000}, {"Mbps", 1'000'000}, {"Gbps", 1'000'000'000}, {"Tbps", 1'000'000'000'000}};
constexpr Unit kSizeUnits[] = {{"B", 1},
                               {"KiB", int64_t{1} << 10},
                               {"MiB", int64_t{1} << 20},
                               {"GiB", int64_t{1} << 30},
                               {"TiB", int64_t{1} << 40},
                               {"KB", 1'000},
                               {"kB", 1'000},
                               {"MB", 1'000'000},
                               {"GB", 1'000'000'000},
                               {"TB", 1'000'000'000'000}};
constexpr Unit kClockUnits[] = {{"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}};
constexpr Unit kLengthUnits[] = {{"cm", 50}, {"m", 5'000}, {"km", 5'000'000}};  // in picoseconds of delay

constexpr Dimension kTime{"a time", "us", kTimeUnits};
constexpr Dimension kRate{"a rate", "Gbps", kRateUnits};
constexpr Dimension kSize{"a size", "B", kSizeUnits};
constexpr Dimension kClock{"a clock rate", "GHz", kClockUnits};
constexpr Dimension kLength{"a length", "m", kLengthUnits};

struct Split {
  std::string_view whole, fraction, unit;
};

/// Digits, perhaps a point and digits, then the rest without leading blanks; none where no digit comes first.
std::optional<Split> SplitQuantity(std::string_view text) {
  const auto digits = [](std::string_view t) {
    return std::min(t.find_first_not_of("0123456789"), t.size());
  };
  Split split;
  split.whole = text.substr(0, digits(text));
  if (split.whole.empty()) return std::nullopt;
  text.remove_prefix(split.whole.size());
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    split.fraction = text.substr(0, digits(text));
    if (split.fraction.empty()) return std::nullopt;
    text.remove_prefix(split.fraction.size());
  }
  split.unit = text;
  return split;
}

std::vector<std::string> UnitNames(const Dimension& dimension) {
  std::vector<std::string> names;
  for (const Unit& unit : dimension.units) names.push_back(unit.name);
  return names;
}

std::string Rule(const Dimension& dimension) {
  return fmt::format("{} is a number and one of {}", dimension.what, Join(UnitNames(dimension)));
}

/// 64 thousand bytes are rarely meant, 64 times 1024 are; 100 of them are.
bool IsBinary(const std::string& number) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error == std::errc() && end == number.data() + number.size() && std::has_single_bit(value);
}

/// KB, or KiB where the number is a power of two, of a unit such as k, Kb or m; else nothing.
std::string UnitOfSize(const std::string& number, std::string_view unit) {
  const std::string prefix(1, static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
  const bool known = std::string_view("KMGT").find(prefix) != std::string_view::npos;
  if (!known || !(unit.size() == 1 || (unit.size() == 2 && (unit[1] == 'b' || unit[1] == 'B')))) return "";
  return prefix + (IsBinary(number) ? "iB" : "B");
}

/// The same number with a unit that may have been meant, or nothing.
std::string Suggestion(const std::string& text, const Split& split, const Dimension& dimension) {
  std::string_view unit = split.unit;
  const std::string number = text.substr(0, text.size() - unit.size());
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (unit.empty()) {
    // A threshold of 100 was hardly meant in bytes; one of 1048576 was.
    constexpr size_t kDigitsOfBytes = 5;
    std::string bare = '"' + number + dimension.suggest + '"';
    const bool small = &dimension == &kSize && number.size() < kDigitsOfBytes;
    return small ? fmt::format("\"{}{}\" or {}", number, UnitOfSize(number, "K"), bare) : bare;
  }
  if (&dimension == &kSize)
    if (const std::string size = UnitOfSize(number, unit); !size.empty()) return '"' + number + size + '"';
  std::string near = unit == "µs" ? "us" : Nearest(unit, UnitNames(dimension));
  std::erase(near, '"');
  return near.empty() ? std::string() : '"' + number + near + '"';
}

const Unit* FindUnit(const Dimension& dimension, std::string_view name) {
  const auto found = std::find_if(dimension.units.begin(), dimension.units.end(),
                                  [&](const Unit& unit) { return unit.name == name; });
  return found == dimension.units.end() ? nullptr : &*found;
}

int64_t ParseQuantity(const Node& node, const Dimension& dimension) {
  if (!node.IsScalar())
    throw ScenarioError(node.where, Describe(node) + " is not " + dimension.what, Rule(dimension));
  const std::string& text = node.text;
  const auto split = SplitQuantity(text);
  if (!split) throw ScenarioError(node.where, Quote(text) + " is not " + dimension.what, Rule(dimension));
  const Unit* unit = FindUnit(dimension, split->unit);
  if (!unit) {
    const std::string wrong = split->unit.empty() ? fmt::format("{} has no unit", Quote(text))
                                                  : fmt::format("{} is not {}", Quote(text), dimension.what);
    throw ScenarioError(node.where, wrong, Rule(dimension), Suggestion(text, *split, dimension));
  }
  // Exact: the digits as one integer, times the unit, over the power of ten of the fraction.
  constexpr size_t kMostDigits = 18;
  if (split->whole.size() + split->fraction.size() > kMostDigits)
    throw ScenarioError(node.where, Quote(text) + " has too many digits", "18 at most");
  Uint128 digits = 0, power = 1;
  for (const char c : split->whole) digits = digits * 10 + static_cast<unsigned>(c - '0');
  for (const char c : split->fraction) digits = digits * 10 + static_cast<unsigned>(c - '0'), power *= 10;
  const Uint128 scaled = digits * static_cast<Uint128>(unit->scale);
  if (scaled % power != 0)
    throw ScenarioError(node.where, Quote(text) + " is no whole number of the smallest unit",
                        fmt::format("{} is a multiple of 1 {}", dimension.what,
                                    &dimension == &kLength ? "mm" : dimension.units.front().name));
  if (scaled / power > static_cast<Uint128>(INT64_MAX))
    throw ScenarioError(node.where, Quote(text) + " is too large");
  return static_cast<int64_t>(scaled / power);
}

std::string Format(int64_t value, const Dimension& dimension) {
  const Unit* best = &dimension.units.front();
  for (const Unit& unit : dimension.units)
    if (value % unit.scale == 0 && value != 0 && value / unit.scale < value / best->scale) best = &unit;
  return fmt::format("{}{}", value / best->scale, best->name);
}

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace

Time ParseTime(const Node& node) { return Time(ParseQuantity(node, kTime)); }
Rate ParseRate(const Node& node) { return Rate(ParseQuantity(node, kRate)); }
Bytes ParseSize(const Node& node) { return Bytes(ParseQuantity(node, kSize)); }
int64_t ParseClock(const Node& node) { return ParseQuantity(node, kClock); }
Time ParseLength(const Node& node) { return Time(ParseQuantity(node, kLength)); }

double ParseFraction(const Node& node) {
  std::optional<double> value;
  if (node.IsScalar()) {
    const std::string_view text = node.text;
    const size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
      const auto numerator = ParseNumber(text.substr(0, slash));
      const auto denominator = ParseNumber(text.substr(slash + 1));
      if (numerator && denominator && *denominator != 0) value = *numerator / *denominator;
    } else if (text.ends_with('%')) {
      if (const auto percent = ParseNumber(text.substr(0, text.size() - 1))) value = *percent / 100;
    } else {
      value = ParseNumber(text);
    }
  }
  if (!value || !std::isfinite(*value) || std::signbit(*value))
    throw ScenarioError(node.where, Describe(node) + " is not a fraction",
                        "a fraction is written as 5%, 1/256 or 0.05");
  return *value;
}

bool LooksLikeSize(const std::string& text) {
  const auto split = SplitQuantity(text);
  return split && (split->unit.empty() || FindUnit(kSize, split->unit));
}

std::string FormatTime(Time time) { return time.v == 0 ? "0ns" : Format(time.v, kTime); }
std::string FormatRate(Rate rate) { return Format(rate.v, kRate); }
std::string FormatClock(int64_t hertz) { return Format(hertz, kClock); }
std::string FormatSize(Bytes size) { return Format(size.v, kSize); }
std::string FormatNumber(double number) { return fmt::format("{}", number); }

}  // namespace headroom

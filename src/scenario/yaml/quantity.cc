#include "scenario/yaml/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <initializer_list>
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
  const char* what;     // for example "a time"
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
constexpr Unit kLengthUnits[] = {
    {"cm", 50}, {"m", 5'000}, {"km", 5'000'000}};  // value in picoseconds of delay

constexpr Dimension kTime{"a time", "us", kTimeUnits};
constexpr Dimension kRate{"a rate", "Gbps", kRateUnits};
constexpr Dimension kSize{"a size", "B", kSizeUnits};
constexpr Dimension kClock{"a clock rate", "GHz", kClockUnits};
constexpr Dimension kLength{"a length", "m", kLengthUnits};

struct Split {
  std::string_view whole, fraction, unit;
};

/// Digits, possibly a point and digits, then the rest without leading blanks; none unless a digit comes
/// first.
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
  return fmt::format("write {} as a number and one of the units {}", dimension.what,
                     Join(UnitNames(dimension)));
}

/// The permitted range of a value.
struct Range {
  int64_t least = 0, most = INT64_MAX;
};

const Unit* FindUnit(const Dimension& dimension, std::string_view name) {
  const auto found = std::find_if(dimension.units.begin(), dimension.units.end(),
                                  [&](const Unit& unit) { return unit.name == name; });
  return found == dimension.units.end() ? nullptr : &*found;
}

/// The value in the smallest unit; none if it is not a whole number of units, or too large.
std::optional<int64_t> Scaled(const Split& split, int64_t scale) {
  constexpr size_t kMostDigits = 18;
  if (split.whole.size() + split.fraction.size() > kMostDigits) return std::nullopt;
  // Exact: the digits as one integer, times the unit, divided by the power of ten of the fraction.
  Uint128 digits = 0, power = 1;
  for (const char c : split.whole) digits = digits * 10 + static_cast<unsigned>(c - '0');
  for (const char c : split.fraction) digits = digits * 10 + static_cast<unsigned>(c - '0'), power *= 10;
  const Uint128 scaled = digits * static_cast<Uint128>(scale);
  if (scaled % power != 0 || scaled / power > static_cast<Uint128>(INT64_MAX)) return std::nullopt;
  return static_cast<int64_t>(scaled / power);
}

/// 64 KB usually means 64 times 1024 bytes, whereas 100 KB means 100 thousand.
bool IsBinary(const std::string& number) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error == std::errc() && end == number.data() + number.size() && std::has_single_bit(value);
}

/// Returns "K", "M", "G" or "T" if the unit begins with it in either case; otherwise nothing.
std::string PrefixOf(std::string_view unit) {
  const std::string prefix(1, static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
  return std::string_view("KMGT").find(prefix) == std::string_view::npos ? "" : prefix;
}

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// Returns KB, or KiB if the number is a power of two, for a unit such as k, Kb or m; otherwise nothing.
std::string UnitOfSize(const std::string& number, std::string_view unit) {
  const std::string prefix = PrefixOf(unit);
  if (prefix.empty() || !IsOneOf(unit.substr(1), {"", "b", "B"})) return "";
  return prefix + (IsBinary(number) ? "iB" : "B");
}

/// Returns Gbps for a unit such as G, Gb, gbit/s or GbE; otherwise nothing, because a capital B means bytes.
std::string UnitOfRate(std::string_view unit) {
  const bool bare = IsOneOf(unit, {"b", "b/s", "bit", "bits", "bit/s", "bits/s"});
  const std::string prefix = bare ? "" : PrefixOf(unit);
  if (bare) return "bps";
  if (prefix.empty() ||
      !IsOneOf(unit.substr(1), {"", "b", "bE", "be", "b/s", "bit", "bits", "bit/s", "bits/s", "bps"}))
    return "";
  return prefix + "bps";
}

/// Proposals for a rate with a capital B: "25Gbps" for bits, or "200Gbps" for bytes. A proposal out of range
/// is left out.
std::string BitsOrBytes(const std::string& number, const Split& split, std::string_view unit,
                        const Range& range) {
  const std::string prefix = PrefixOf(unit);
  if (prefix.empty() || !IsOneOf(unit.substr(1), {"B", "Bps", "B/s"})) return "";
  const std::string bits = prefix + "bps";
  const auto value = Scaled(split, FindUnit(kRate, bits)->scale);
  constexpr int64_t kBits = 8;
  if (!value) return "";
  std::string text;
  if (*value >= range.least && *value <= range.most) text = '"' + number + bits + '"';
  if (*value <= range.most / kBits && *value * kBits >= range.least)
    text += (text.empty() ? "\"" : " or \"") + FormatRate(Rate(*value * kBits)) + '"';
  return text;
}

std::string UnitOfTime(std::string_view unit) {
  if (unit == "µs") return "us";
  for (const std::string_view known : {"ps", "ns", "us", "ms"})
    if (unit == std::string(known.substr(0, 1)) + "sec") return std::string(known);
  return IsOneOf(unit, {"sec", "secs", "second", "seconds"}) ? "s" : "";
}

/// Units that a bare number may have been meant in, the most probable first.
std::vector<std::string> UnitsOfBare(const std::string& number, const Split& split,
                                     const Dimension& dimension) {
  std::vector<std::string> units;
  if (&dimension == &kRate) {
    // 100 Gbps, 25000 Mbps as in SONiC, 25000000000 bit/s as in ns-3.
    constexpr size_t kDigitsOfGbps = 4, kDigitsOfMbps = 6;
    const size_t digits = split.whole.size();
    units = {digits <= kDigitsOfGbps ? "Gbps" : digits <= kDigitsOfMbps ? "Mbps" : "bps"};
  } else if (&dimension == &kSize) {
    // A threshold of 100 was probably not meant in bytes, but one of 1048576 was.
    constexpr size_t kDigitsOfBytes = 5;
    if (number.size() < kDigitsOfBytes) units = {UnitOfSize(number, "K")};
  }
  units.push_back(dimension.suggest);
  for (const Unit& unit : dimension.units) units.push_back(unit.name);
  return units;
}

/// The same number with a unit that may have been meant, or nothing. Its text is valid in a scenario.
std::string Suggestion(const std::string& text, const Split& split, const Dimension& dimension,
                       const Range& range) {
  std::string_view unit = split.unit;
  const std::string number = text.substr(0, text.size() - unit.size());
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  const auto fits = [&](const std::string& name) {
    const Unit* known = FindUnit(dimension, name);
    const auto value = known ? Scaled(split, known->scale) : std::nullopt;
    return value && *value >= range.least && *value <= range.most;
  };
  if (unit.empty()) {
    std::vector<std::string> units = UnitsOfBare(number, split, dimension);
    std::erase_if(units, [&](const std::string& name) { return !fits(name); });
    if (units.empty()) return "";
    const bool either = &dimension == &kSize && units.size() > 1 && units[0] != "B" && units[1] == "B";
    return '"' + number + units[0] + '"' + (either ? " or \"" + number + "B\"" : "");
  }
  std::string meant = &dimension == &kSize    ? UnitOfSize(number, unit)
                      : &dimension == &kRate  ? UnitOfRate(unit)
                      : &dimension == &kTime  ? UnitOfTime(unit)
                      : &dimension == &kClock ? std::string(unit) + "Hz"
                                              : "";
  if (!FindUnit(dimension, meant)) meant.clear();
  const bool bytes_of_rate = &dimension == &kRate && unit.find('B') != std::string_view::npos;
  if (meant.empty() && bytes_of_rate) return BitsOrBytes(number, split, unit, range);
  if (meant.empty()) meant = Nearest(unit, UnitNames(dimension));
  std::erase(meant, '"');
  return fits(meant) ? '"' + number + meant + '"' : "";
}

/// The value of the text in the smallest unit.
int64_t ValueOf(const Node& node, const Dimension& dimension, const Split& split, const Unit& unit) {
  constexpr size_t kMostDigits = 18;
  const std::string text = Quote(node.text);
  if (split.whole.size() + split.fraction.size() > kMostDigits)
    throw ScenarioError(node.where, text + " has too many digits", "18 at most");
  if (const auto value = Scaled(split, unit.scale)) return *value;
  const bool finer = !split.fraction.empty() && Scaled({split.whole, {}, {}}, unit.scale);
  if (!finer) throw ScenarioError(node.where, text + " is too large");
  throw ScenarioError(node.where, text + " is finer than the smallest unit",
                      fmt::format("give {} as a multiple of 1 {}", dimension.what,
                                  &dimension == &kLength ? "mm" : dimension.units.front().name));
}

[[noreturn]] void RefuseNoQuantity(const Node& node, const Dimension& dimension) {
  const bool negative = node.text.starts_with('-') && SplitQuantity(std::string_view(node.text).substr(1));
  if (negative)
    throw ScenarioError(node.where, Quote(node.text) + " is negative",
                        dimension.what + std::string(" must be 0 or more"));
  throw ScenarioError(node.where, Quote(node.text) + " is not " + dimension.what, Rule(dimension));
}

int64_t ParseQuantity(const Node& node, const Dimension& dimension, const Range& range = {}) {
  if (!node.IsScalar())
    throw ScenarioError(node.where, Describe(node) + " is not " + dimension.what, Rule(dimension));
  const std::string& text = node.text;
  const auto split = SplitQuantity(text);
  if (!split) RefuseNoQuantity(node, dimension);
  const Unit* unit = FindUnit(dimension, split->unit);
  if (!unit) {
    const std::string wrong = split->unit.empty() ? fmt::format("{} has no unit", Quote(text))
                                                  : fmt::format("{} is not {}", Quote(text), dimension.what);
    throw ScenarioError(node.where, wrong, Rule(dimension), Suggestion(text, *split, dimension, range));
  }
  return ValueOf(node, dimension, *split, *unit);
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

namespace {

/// A quantity in that range; `Q` is its type, `format` writes it.
template <class Q>
Q Within(const Node& node, const Dimension& dimension, Q least, Q most, std::string (*format)(Q)) {
  const Q value(ParseQuantity(node, dimension, {least.v, most.v}));
  if (value < least || value > most)
    throw ScenarioError(node.where, Quote(node.text) + " is out of range",
                        fmt::format("allowed: {} to {}", format(least), format(most)));
  return value;
}

}  // namespace

Time ParseTime(const Node& node, Time least, Time most) {
  return Within(node, kTime, least, most, FormatTime);
}
Time ParseBareTime(const Node& node, const std::string& unit) {
  const std::string& text = node.text;
  const Unit* known = FindUnit(kTime, unit);
  const std::string rule = fmt::format("give a bare number in {}, 0 or more, such as 2.5", unit);
  const auto split = SplitQuantity(text);
  if (!split && text.starts_with('-') && SplitQuantity(std::string_view(text).substr(1)))
    throw ScenarioError(node.where, Quote(text) + " is negative", rule);
  if (!known || !split || !split->unit.empty())
    throw ScenarioError(node.where, Quote(text) + " is not a time", rule);
  return Time(ValueOf(node, kTime, *split, *known));
}
Rate ParseRate(const Node& node, Rate least, Rate most) {
  return Within(node, kRate, least, most, FormatRate);
}
Bytes ParseSize(const Node& node, Bytes least, Bytes most) {
  return Within(node, kSize, least, most, FormatSize);
}
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
  if (value && std::isfinite(*value) && *value < 0)
    throw ScenarioError(node.where, Quote(node.text) + " is negative", "give a fraction of 0 or more");
  if (!value || !std::isfinite(*value) || std::signbit(*value))
    throw ScenarioError(node.where, Describe(node) + " is not a fraction",
                        "write a fraction as 5%, 1/256 or 0.05");
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

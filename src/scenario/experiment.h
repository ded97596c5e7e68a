// A scenario's series of runs: keys to vary, number of repetitions, expectations.
//
// One run of the series is LoadScenario with the point's values and the seed as sets: see PointSets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headroom {

/// A key path, as for --set (or several that move together, "A, B"), and the values that it takes, as YAML on
/// one line.
struct Variation {
  std::string path;
  std::vector<std::string> values;
  std::vector<std::string> names{};  ///< by value: its anchor in the file (`&name`), or empty
  bool operator==(const Variation&) const = default;
};

/// One combination: (path, value) for each varied key, in the order of `vary`; for an expectation, only those
/// that it fixes.
using Point = std::vector<std::pair<std::string, std::string>>;

/// A metric at a point, "messages.burst.completion_us.p99" or "rates.a.0.at(155us)".
struct MetricAt {
  std::string metric;
  Point at;
  bool operator==(const MetricAt&) const = default;
};

/// Every one of the metrics is within the bounds, at every point that agrees with `at`.
struct MetricExpectation {
  std::vector<std::string> metrics;
  Point at;
};
/// The first over the second is within the bounds.
struct RatioExpectation {
  MetricAt numerator, denominator;
};
/// Each is greater than the one before.
struct OrderExpectation {
  std::vector<MetricAt> terms;
};

/// Kinds of expected figures, by where they come from.
enum class FigureKind : uint8_t {
  published,   ///< the source prints it
  computed,    ///< it follows from rules that the source prints
  calibrated,  ///< the source prints it, and a parameter of the model was taken from it
  ours,        ///< nobody prints it: a bound of who wrote the scenario
};
/// In the order of FigureKind, as scenarios write them.
inline constexpr std::array<const char*, 4> kFigureKinds = {"published", "computed", "calibrated", "ours"};

struct Expectation {
  std::variant<MetricExpectation, RatioExpectation, OrderExpectation> what;
  std::optional<double> min, max;  ///< inclusive; none for an order
  std::string unit;                ///< of min and max; empty: the metric's own
  FigureKind kind = FigureKind::ours;
  std::string source;  ///< where the figure is from
  std::string value;   ///< the figure as text; empty: none
  std::string range;   ///< where the bounds come from; empty: not said
  std::string misses;  ///< why it is known not to hold; empty: it is to hold
  std::string file;
  int line = 0;
};

inline constexpr int kMostSeeds = 10'000;

struct Experiment {
  std::vector<Variation> vary;
  int seeds = 1;
  std::vector<Expectation> expect;
};

/// The cross product of the varied values, the last key fastest; one empty point without any.
std::vector<Point> Points(const Experiment& experiment);

/// The sets ("KEY=VALUE") that make one run of the series.
std::vector<std::string> PointSets(const Point& point, unsigned long long seed);

/// A point for people, "fan_in=8, nics.0=tuned" with ", " between: the last part of each (first) key that is
/// a name and what follows it, and values by their names where they have any.
std::string PointText(const Point& point, const std::vector<Variation>& vary, const char* between = ", ");

/// Whether `point` has every value of `part`.
bool Agrees(const Point& point, const Point& part);

}  // namespace headroom

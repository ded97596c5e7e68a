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

/// A key path in the form of --set (or several that change together, "A, B"), and its values, as YAML on one
/// line.
struct Variation {
  std::string path;
  std::vector<std::string> values;
  std::vector<std::string> names{};  ///< for each value: its anchor in the file (`&name`), or empty
  bool operator==(const Variation&) const = default;
};

/// One combination: (path, value) for each varied key, in the order of `vary`; for an expectation, only the
/// values that it fixes.
using Point = std::vector<std::pair<std::string, std::string>>;

/// A metric at a point, for example "messages.burst.completion_us.p99" or "rates.a.0.at(155us)".
struct MetricAt {
  std::string metric;
  Point at;
  bool operator==(const MetricAt&) const = default;
};

/// All the metrics are within the bounds, at every point that agrees with `at`.
struct MetricExpectation {
  std::vector<std::string> metrics;
  Point at;
};
/// The first over the second is within the bounds.
struct RatioExpectation {
  MetricAt numerator, denominator;
};
/// Each term is greater than the previous one.
struct OrderExpectation {
  std::vector<MetricAt> terms;
};

/// Kinds of expected figures, by origin.
enum class FigureKind : uint8_t {
  published,   ///< the source prints it
  computed,    ///< the figure follows from rules that the source prints
  calibrated,  ///< the source prints it, and a parameter of the model was taken from it
  ours,        ///< the figure is not published: the author of the scenario set the bound
};
/// The kinds in the order of FigureKind, as scenarios write them.
inline constexpr std::array<const char*, 4> kFigureKinds = {"published", "computed", "calibrated", "ours"};

struct Expectation {
  std::variant<MetricExpectation, RatioExpectation, OrderExpectation> what;
  std::optional<double> min, max;  ///< inclusive; none for an order
  std::string unit;                ///< unit of min and max; empty: the metric's own
  FigureKind kind = FigureKind::ours;
  std::string source;  ///< the origin of the figure
  std::string value;   ///< the figure as text; may be empty
  std::string range;   ///< the origin of the bounds; empty if not stated
  std::string misses;  ///< the reason for a known miss; empty if the figure should hold
  std::string file;
  int line = 0;
};

inline constexpr int kMostSeeds = 10'000;

struct Experiment {
  std::vector<Variation> vary;
  int seeds = 1;
  std::vector<Expectation> expect;
};

/// The cross product of the varied values, the last key fastest; one empty point if nothing is varied.
std::vector<Point> Points(const Experiment& experiment);

/// The sets ("KEY=VALUE") that make one run of the series.
std::vector<std::string> PointSets(const Point& point, unsigned long long seed);

/// A point for people, for example "fan_in=8, nics.0=tuned" with ", " between: the last name in the (first)
/// path with its index, and the value, by its name if it has one.
std::string PointText(const Point& point, const std::vector<Variation>& vary, const char* between = ", ");

/// Whether `point` has every value of `part`.
bool Agrees(const Point& point, const Point& part);

}  // namespace headroom

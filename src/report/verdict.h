// Verdicts on a change that has an interval.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace headroom {

/// The default of the smallest change that matters.
constexpr double kResolution = 0.03;

/// A change as a share of the old value, with its 95 % interval. `centre` ± `half` are shares, or, if
/// `logarithm` is set, logarithms of the ratio.
struct Effect {
  double centre = 0, half = 0;
  bool logarithm = false;

  double Change() const;
  double Low() const;
  double High() const;
};

/// lower, higher: the interval excludes zero. none: it lies within ± resolution. undecided: neither. The rule
/// equals that of python/headroom/verdict.py exactly.
enum class Verdict { lower, higher, none, undecided };
const char* VerdictName(Verdict verdict);
Verdict VerdictOf(const Effect& effect, double resolution);

/// The number of additional seeds that would decide it if the change and the spread of a seed stayed the
/// same; none if 10,000 would not. `seeds`: the number of seeds of the interval, by Student's t. REQUIRES:
/// seeds > 1, and the verdict is undecided.
std::optional<size_t> MoreSeedsToDecide(const Effect& effect, size_t seeds, double resolution);

/// For example "no difference larger than 3 %".
std::string NoDifferenceText(double resolution);

/// For example "undecided: 12 more seeds would decide"; `more`: none if the number is unknown.
std::string UndecidedText(std::optional<size_t> more);

}  // namespace headroom

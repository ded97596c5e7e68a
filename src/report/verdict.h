// Verdicts on a change that has an interval.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace headroom {

/// The smallest change that matters, unless somebody says otherwise.
constexpr double kResolution = 0.03;

/// lower, higher: the interval excludes zero. none: it lies within ± resolution. undecided: neither. The rule
/// is that of python/headroom/verdict.py, word for word.
enum class Verdict { lower, higher, none, undecided };
Verdict VerdictOf(double change, double half_width, double resolution);

/// How many more seeds would decide it if the change and the spread of a seed stayed the same; none if
/// 10,000 would not. `seeds`: how many the interval is of, by Student's t. REQUIRES: seeds > 1,
/// undecided.
std::optional<size_t> MoreSeedsToDecide(double change, double half_width, size_t seeds, double resolution);

/// "no difference larger than 3 %"
std::string NoDifferenceText(double resolution);

/// "undecided: 12 more seeds would decide"; `more`: none if the number is unknown.
std::string UndecidedText(std::optional<size_t> more);

}  // namespace headroom

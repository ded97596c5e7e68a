// Verdicts on a change that has an interval.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/statistics.h"

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

/// The effect from the first value of each pair to the second, both of one seed. The logarithms of the ratios
/// are averaged, so a seed with a large value counts like another. Where a value is not above 0, the
/// differences are averaged, as shares of the mean. One pair has no interval: `half` is 0. REQUIRES: at least
/// one pair.
Effect EffectOfPairs(const std::vector<std::pair<double, double>>& pairs, double error = kError);

/// The median of the relative changes of pairs, and an interval that holds for any distribution: from the
/// k-th smallest change to the k-th largest, with the largest k that the binomial distribution allows. An
/// outlier does not move it. None if even the whole range misses with a larger probability than `error`.
/// Source: Thompson, On confidence ranges for the median, Ann. Math. Statist. 7, 1936.
struct MedianChange {
  double change = 0, low = 0, high = 0;
};
std::optional<MedianChange> MedianOfPairs(const std::vector<std::pair<double, double>>& pairs, double error);

/// lower, higher: the interval excludes zero. none: it lies within ± resolution. undecided: neither.
enum class Verdict { lower, higher, none, undecided };
const char* VerdictName(Verdict verdict);
Verdict VerdictOf(const Effect& effect, double resolution);

/// The smallest number of seeds that would decide it if the change and the spread of a seed stayed the same;
/// none if no number would. It is one of `counts`, which are in order; without them, any number up to 10,000.
/// `seeds`: the number of seeds of the interval, by Student's t. `error`: the probability that the interval
/// misses. REQUIRES: seeds > 1, and the verdict is undecided.
std::optional<size_t> SeedsToDecide(const Effect& effect, size_t seeds, double resolution,
                                    double error = kError, std::vector<size_t> counts = {});

/// For example "no difference larger than 3 %".
std::string NoDifferenceText(double resolution);

/// For example "undecided: 12 more seeds would decide"; `more`: none if the number is unknown.
std::string UndecidedText(std::optional<size_t> more);

}  // namespace headroom

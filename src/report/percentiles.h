// Distributions of times that messages took, when some messages have not finished.
//
// Percentiles are by nearest rank: the p-th of n sorted values is number ceil(p × n / 100), counted from 1.
// An unfinished message counts with its value so far, a lower bound. A percentile is censored, that is a
// lower bound too, if such a message is at its rank or below.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

namespace headroom {

struct Observed {
  double value = 0;
  bool censored = false;  ///< the true value is at least this
};

/// The rank of a percentile among this many values, counted from 1. REQUIRES: 0 < permille <= 1000.
size_t RankOf(size_t count, int permille);

/// Value of a percentile; none if there are no values. `sorted` is a result of SortObserved. REQUIRES: 0 <
/// permille <= 1000. `permille` counts tenths of a per cent, so that ranks are exact integers.
std::optional<Observed> NearestRank(const std::vector<Observed>& sorted, int permille);

/// Sorts by value; among equal values, finished ones come first, since the others can only grow.
void SortObserved(std::vector<Observed>& values);

/// Arithmetic mean, censored if any value is; none without values.
std::optional<Observed> Mean(const std::vector<Observed>& values);

/// {mean, p50, p90, p95, p99, p999, max, censored}: numbers, or null if there are no values. `censored` is an
/// object with a `true` for every statistic that is a lower bound; empty if none is.
nlohmann::ordered_json DescribeDistribution(std::vector<Observed> values);

}  // namespace headroom

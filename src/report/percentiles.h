// Distributions of what messages took, where some messages have not finished.
//
// Percentiles are nearest rank: the p-th of n sorted values is number ceil(p × n / 100), counted from 1. An
// unfinished message counts with its value so far, a lower bound. A percentile is a lower bound too,
// censored, if such a message is at its rank or below.
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

/// Of the p-th percentile of so many values, counted from 1. REQUIRES: 0 < permille <= 1000.
size_t RankOf(size_t count, int permille);

/// Value of the p-th percentile; none without values. `sorted` is as SortObserved leaves it. REQUIRES: 0 <
/// permille <= 1000. Tenths of a per cent, so that ranks are exact integers.
std::optional<Observed> NearestRank(const std::vector<Observed>& sorted, int permille);

/// By value; of equal values the finished ones first, since the others can only grow.
void SortObserved(std::vector<Observed>& values);

/// Arithmetic mean, censored if any value is; none without values.
std::optional<Observed> Mean(const std::vector<Observed>& values);

/// {mean, p50, p90, p95, p99, p999, max, censored}: numbers, or null where there are no values. `censored` is
/// an object with a `true` for every statistic that is a lower bound; empty without any.
nlohmann::ordered_json DescribeDistribution(std::vector<Observed> values);

}  // namespace headroom

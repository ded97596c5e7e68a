// Combines the summaries of several runs that differ in their seed.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace headroom {

/// A summary with the same structure. Every number is the mean over the runs that have it, and beside it
///
///   seeds: {list: [1, 2, …], metrics: {<the same tree>: {mean, half_width_95, n}}}
///
/// with the half-width of the mean's 95 % confidence interval (null for n < 2) and the number n of runs that
/// have the metric (null if none has it). Peaks (peak_…_bytes, closest_to_xoff) are the maximum of all runs
/// instead, without an interval. The status is the worst of all. `ok` holds if it holds in all runs; a
/// statistic is censored if it is censored in any. If fewer runs are given than were `planned`, seeds has
/// that number too, and the status is "interrupted". REQUIRES: `summaries` is not empty.
nlohmann::ordered_json Aggregate(const std::vector<nlohmann::ordered_json>& summaries, size_t planned = 0);

}  // namespace headroom

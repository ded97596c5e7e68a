// `compare --points`: changes between sets of runs, for the programs that choose them.
#pragma once

#include <nlohmann/json.hpp>

namespace headroom {

/// Answers a JSON list of requests, in order:
///
///   {metric, to: {SEED: {value, dir}}, from: the same, error, resolution, counts}
///
/// `value`: the metric in the run's summary, or null; `dir`: the run's folder, or null. Without `from`, the
/// answer for a percentile is {mean, half_width_95, n, censored}, over the messages of all runs together;
/// `mean` is null for one run without such messages. It is null for another metric, and if a run lacks lines
/// of some messages. With `from`, it is the change over the seeds of both, null without any:
///
///   {change, low, high, seeds, verdict, seeds_to_decide, pooled: [FROM, TO] or null}
///
/// With `pairs: true`, half of `error` is for this interval. If it does not decide, the median of the changes
/// of pairs of equal seeds, with its own interval, is the answer where that one excludes zero.
///
/// `error` is the probability that the interval misses (default 0.05), `resolution` the smallest change that
/// matters (default 0.03). `seeds_to_decide` is one of `counts`, if these are given, and null unless the
/// verdict is undecided. One seed has no interval. Throws std::invalid_argument if `requests` is no such
/// list, ResultError if a result is damaged.
///
/// The answer to {degrees, error} is the t of Student's distribution with these degrees of freedom.
nlohmann::ordered_json ComparePoints(const nlohmann::ordered_json& requests);

}  // namespace headroom

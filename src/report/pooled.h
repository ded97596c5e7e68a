// Percentiles of the messages of all seeds together, and of their operations.
//
// A percentile of one seed has few messages beyond it. One of all seeds together has more, so it scatters
// less and is less biased than the mean of the seeds' percentiles. Messages of one seed depend on one
// another. So the standard error is that of the jackknife, which leaves out each seed in turn (Efron and
// Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11).
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/percentiles.h"
#include "report/verdict.h"

namespace headroom {

/// A seed of a result of several: its summary, and the folder of its files.
struct SeedResult {
  nlohmann::ordered_json summary;
  std::filesystem::path dir;
};

/// Adds to a summary over these seeds, below the paths of the summary, for each percentile of a completion
/// time, a delivery time, a slowdown, or a latency of operations:
///
///   seeds: {pooled: {<path>: {value, low, high, left_out: […]}}}
///
/// with the ends of the 95 % interval, and the percentile without each seed in turn, in their order.
/// `censored: true` is beside them if the value is a lower bound. Adds nothing for fewer than two seeds, for
/// a percentile of 0, and for a workload of which a seed has no messages, or lacks lines of some. Adds
/// nothing if a seed's percentiles are in buckets.
void AddPooled(nlohmann::ordered_json& summary, const std::vector<SeedResult>& seeds);

/// The values of messages and operations that were read for earlier percentiles, so that several percentiles
/// of a result read its files once. Starts again when it holds too many.
struct ReadValues {
  using ByPath = std::map<std::string, std::vector<Observed>>;   ///< "messages.W.slowdown"
  std::map<std::pair<std::string, std::string>, ByPath> of_run;  ///< by folder; by size, or "operations"
  size_t values = 0;
};

/// The percentile `metric` over the messages of these runs together: an entry of `pooled`, or {value} for one
/// run. {} if a run has no such messages, or if the percentile is 0. Null if the metric is not a percentile
/// of messages or operations, or if a run lacks lines of some. Throws ResultError if the size in it is not a
/// size.
nlohmann::ordered_json PooledPercentile(const std::vector<SeedResult>& runs, const std::string& metric,
                                        ReadValues& read);

/// The change from one entry of `pooled` to another. `paired`: both have the same seeds, so a seed's effect
/// on both cancels. `error`: the probability that the interval misses.
Effect PooledChange(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b, bool paired,
                    double error = kError);

/// The change from the value of a single run to an entry of `pooled`, if the run varies as one seed of the
/// entry does. The change in the other direction is its opposite.
Effect PooledChangeFromOneRun(double value, const nlohmann::ordered_json& b);

/// Adds messages.W.slowdown.by_size."64KiB".p99, or a time in place of the slowdown, to a summary over these
/// seeds, or of one run. It covers messages of more than 32 KiB and up to 64 KiB. Over several seeds it is
/// the mean of the seeds' percentiles, with an entry in `pooled`. Returns false if `metric` has another form.
/// Throws ResultError if the size is not a size, or if messages.csv lacks lines of some messages.
bool AddBySize(nlohmann::ordered_json& summary, const std::vector<SeedResult>& seeds,
               const std::string& metric);

}  // namespace headroom

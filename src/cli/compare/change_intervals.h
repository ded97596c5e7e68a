// The certainty of a change between results of several seeds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/compare/compare.h"
#include "report/verdict.h"

namespace headroom {

/// The change of a metric with its interval; none if neither result has several seeds, or if the metric of
/// `a` is 0.
///
/// For percentiles, it compares the percentiles over the messages of all seeds together. For other metrics,
/// it compares the means. If both results ran the same seeds, differences are taken seed by seed, so a seed's
/// effect on both results cancels. If one result is a single run, it is assumed to vary from seed to seed
/// like the runs of the other result. Otherwise both results are independent.
std::optional<Effect> EffectOf(const ComparedResult& a, const ComparedResult& b, const std::string& path);

/// Whether the interval of a difference of two means contains 0.
bool IsWithinInterval(const ComparedResult& a, const ComparedResult& b, const std::string& path,
                      double difference);

/// The number of seeds if both results ran the same seeds; else 0.
size_t SeedsInPairs(const ComparedResult& a, const ComparedResult& b);

/// If only one of two results of several seeds has a percentile over all seeds, removes that percentile: it
/// does not compare with a mean.
void KeepPooledOfBoth(ComparedResult& a, ComparedResult& b);

/// Explains the intervals of the changes; empty if no change has an interval.
std::string IntervalsText(const ComparedResult& a, const ComparedResult& b);

}  // namespace headroom

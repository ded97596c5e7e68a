// How certain a change between results of several seeds is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/compare/compare.h"
#include "report/verdict.h"

namespace headroom {

/// The change of a metric with its interval; none where neither result is of several seeds, and where the
/// metric of `a` is 0.
///
/// Of percentiles it is that of the percentiles over the messages of all seeds together. Of other metrics it
/// is that of the means. If both results ran the same seeds, differences are taken seed by seed, so a seed's
/// effect on both cancels. If one of them is a single run, it is taken to vary from seed to seed like the
/// runs of the other. Elsewhere both are independent.
std::optional<Effect> EffectOf(const ComparedResult& a, const ComparedResult& b, const std::string& path);

/// Whether the interval of a difference of two means holds 0.
bool IsWithinInterval(const ComparedResult& a, const ComparedResult& b, const std::string& path,
                      double difference);

/// How many seeds both results ran, if they ran the same; else 0.
size_t SeedsInPairs(const ComparedResult& a, const ComparedResult& b);

/// Removes percentiles over all seeds that only one of two results of several seeds has: it would not compare
/// with a mean.
void KeepPooledOfBoth(ComparedResult& a, ComparedResult& b);

/// What the intervals of the changes are; nothing without any.
std::string IntervalsText(const ComparedResult& a, const ComparedResult& b);

}  // namespace headroom

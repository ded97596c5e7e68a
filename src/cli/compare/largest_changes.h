// The changes that a reader should see first.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/compare/compare.h"

namespace headroom {

/// At most `most` changes, in this order: lost or failed work, then times and rates of workloads, then drops,
/// pauses, marks and repeats of the network; within each, the largest ratio first. A workload has at most one
/// time and one rate. Uncertain changes, and changes below `resolution` (a share), are left out.
std::vector<MetricChange> LargestChanges(const std::vector<MetricChange>& changes, double resolution,
                                         size_t most);

}  // namespace headroom

// Published flow-size distributions, and drawing from them and from those of files (scenario/size_files.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.h"
#include "workload/parameters.h"

namespace headroom {

/// A built-in distribution; null for an unknown name.
std::shared_ptr<const SizeDistribution> FindDistribution(std::string_view name);

/// Every name that FindDistribution knows.
std::vector<std::string> DistributionNames();

/// Sizes are linear between points; a first point of positive probability is a mass at its size.
/// REQUIRES, here and below: a valid distribution, as the functions above return.
double MeanBytes(const SizeDistribution& distribution);

/// The size below which a share `u` of all messages is, rounded, at least 1 byte. REQUIRES: 0 ≤ u ≤ 1.
Bytes SampleSize(const SizeDistribution& distribution, double u);

}  // namespace headroom

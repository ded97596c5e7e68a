// Published flow-size distributions, own ones from files, and drawing from them.
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

/// Reads a distribution from a text file: a line a point, `size percent`, with the size in bytes and the
/// cumulative percentage, neither decreasing, the last 100; `#` starts a comment. The name is the path.
/// Throws std::invalid_argument whose text is `FILE:LINE:COL: what is wrong; what is allowed`.
std::shared_ptr<const SizeDistribution> ReadDistribution(const std::string& path);

/// Sizes are linear between points; a first point of positive probability is a mass at its size.
/// REQUIRES, here and below: a valid distribution, as the functions above return.
double MeanBytes(const SizeDistribution& distribution);

/// The size below which a share `u` of all messages is, rounded, at least 1 byte. REQUIRES: 0 ≤ u ≤ 1.
Bytes SampleSize(const SizeDistribution& distribution, double u);

}  // namespace headroom

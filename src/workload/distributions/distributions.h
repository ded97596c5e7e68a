// Published flow-size distributions, and random draws from them and from file distributions
// (scenario/size_files.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// A flow-size distribution: cumulative probability at sizes, linear between points.
struct SizeDistribution {
  struct Point {
    double bytes = 0;
    double cumulative = 0;  ///< 0 … 1, not decreasing, last is 1
    bool operator==(const Point&) const = default;
  };
  std::string name;
  std::string source;
  std::vector<Point> points;
  bool operator==(const SizeDistribution&) const = default;
};

/// The number of pieces of `step` for this many bytes, at least 1. REQUIRES: step > 0.
inline double Pieces(double bytes, double step) { return std::max(1.0, std::ceil(bytes / step)); }

/// A built-in distribution; null for an unknown name.
std::shared_ptr<const SizeDistribution> FindDistribution(std::string_view name);

/// Every name that FindDistribution knows.
std::vector<std::string> DistributionNames();

/// Sizes are linear between points; a first point of positive probability is a mass at its size. REQUIRES,
/// here and below: a valid distribution, as from the functions above.
double MeanBytes(const SizeDistribution& distribution);

/// The mean of Pieces(size, step).
double MeanPieces(const SizeDistribution& distribution, double step);

/// The size below which a share `u` of all messages lies, rounded, at least 1 byte. REQUIRES: 0 ≤ u ≤ 1.
Bytes SampleSize(const SizeDistribution& distribution, double u);

}  // namespace headroom

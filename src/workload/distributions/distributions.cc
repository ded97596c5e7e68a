#include "workload/distributions/distributions.h"

#include <algorithm>
#include <cmath>

#include "workload/distributions/distributions_published.h"

namespace headroom {
namespace {

const std::vector<std::shared_ptr<const SizeDistribution>>& BuiltIn() {
  static const auto all = [] {
    std::vector<std::shared_ptr<const SizeDistribution>> list;
    for (const PublishedDistribution& published : PublishedDistributions()) {
      SizeDistribution d{published.name, published.source, {}};
      for (const PublishedPoint& p : published.points) d.points.push_back({p.bytes, p.percent / 100});
      list.push_back(std::make_shared<const SizeDistribution>(std::move(d)));
    }
    return list;
  }();
  return all;
}

/// ∫ max(1, ceil(t / step)) dt from 0 to x: n whole steps with 1, 2, …, n pieces, then n + 1.
double PiecesUpTo(double x, double step) {
  const double n = std::floor(x / step);
  return step * n * (n + 1) / 2 + (n + 1) * (x - n * step);
}

}  // namespace

std::shared_ptr<const SizeDistribution> FindDistribution(std::string_view name) {
  for (const auto& distribution : BuiltIn()) {
    if (distribution->name == name) return distribution;
  }
  return nullptr;
}

std::vector<std::string> DistributionNames() {
  std::vector<std::string> names;
  for (const auto& distribution : BuiltIn()) names.push_back(distribution->name);
  return names;
}

double MeanBytes(const SizeDistribution& distribution) {
  const auto& points = distribution.points;
  double mean = points.front().bytes * points.front().cumulative;
  for (size_t i = 1; i < points.size(); ++i) {
    const double middle = (points[i - 1].bytes + points[i].bytes) / 2;
    mean += middle * (points[i].cumulative - points[i - 1].cumulative);
  }
  return mean;
}

double MeanPieces(const SizeDistribution& distribution, double step) {
  const auto& points = distribution.points;
  double mean = points.front().cumulative * Pieces(points.front().bytes, step);
  for (size_t i = 1; i < points.size(); ++i) {
    const double from = points[i - 1].bytes, to = points[i].bytes;
    const double share = points[i].cumulative - points[i - 1].cumulative;
    if (share <= 0) continue;
    const double pieces =
        to > from ? (PiecesUpTo(to, step) - PiecesUpTo(from, step)) / (to - from) : Pieces(to, step);
    mean += share * pieces;
  }
  return mean;
}

Bytes SampleSize(const SizeDistribution& distribution, double u) {
  const auto& points = distribution.points;
  const auto at = std::ranges::lower_bound(points, u, {}, &SizeDistribution::Point::cumulative);
  double bytes = at == points.end() ? points.back().bytes : at->bytes;
  if (at != points.begin() && at != points.end()) {
    const SizeDistribution::Point& below = *(at - 1);
    const double share = (u - below.cumulative) / (at->cumulative - below.cumulative);
    bytes = below.bytes + (at->bytes - below.bytes) * share;
  }
  return Bytes(std::max<int64_t>(1, std::llround(bytes)));
}

}  // namespace headroom

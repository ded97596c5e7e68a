// The points of published flow-size distributions.
#pragma once

#include <span>

namespace headroom {

struct PublishedPoint {
  double bytes;
  double percent;  ///< cumulative percentage
};

struct PublishedDistribution {
  const char* name;
  const char* source;
  std::span<const PublishedPoint> points;
};

std::span<const PublishedDistribution> PublishedDistributions();

/// RPC sizes of a large service; its 843 points are in their own file.
std::span<const PublishedPoint> GoogleRpc2008Points();

}  // namespace headroom

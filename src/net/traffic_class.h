// The eight traffic classes of a network: PFC priority and queue, DSCP, lossless or not.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace headroom {

inline constexpr int kPriorities = 8;

/// One traffic class. `weight` is its share in deficit-weighted round robin. A `strict` class precedes every
/// weighted class, the higher priority number first.
struct TrafficClass {
  std::string name;  ///< as in the scenario; empty: the priority is not in use
  uint8_t priority = 0;
  uint8_t dscp = 0;
  bool lossless = false;
  uint32_t weight = 1;
  bool strict = false;
  bool operator==(const TrafficClass&) const = default;
};

/// Indexed by priority.
using TrafficClasses = std::array<TrafficClass, kPriorities>;

}  // namespace headroom

// Computes the roots of pauses from their direct causes, through the pauses beyond.
#pragma once

#include <vector>

#include "run/recording/records.h"

namespace headroom {

struct RootShare {
  PauseRoot root;
  double share = 0;
  bool operator==(const RootShare&) const = default;
};

/// The contents of a group while it pauses: roots, and bytes in queues that another pause stops. Weights have
/// any unit, but the same one within a pause.
struct PauseParts {
  struct Beyond {
    uint32_t pause = 0;  ///< its index among all pauses
    PauseRoot queue;     ///< the queue that it stops; one of these queues is the root of a cycle
    double weight = 0;
  };
  std::vector<RootShare> roots;
  std::vector<Beyond> beyond;
};

/// A path of this many pauses without a root is in a cycle.
inline constexpr int kLongestPath = 200;
/// Roots with a smaller share of a pause than this are summed as PauseRoot::Kind::rest.
inline constexpr double kSmallestShare = 1e-4;

/// For each pause, the shares of its roots, which sum to 1, the largest first. A pause without parts has no
/// roots.
std::vector<std::vector<RootShare>> ResolveRoots(const std::vector<PauseParts>& pauses);

}  // namespace headroom

// From each pause's direct causes to its roots, through the pauses beyond it.
#pragma once

#include <vector>

#include "run/records.h"

namespace headroom {

struct RootShare {
  PauseRoot root;
  double share = 0;
  bool operator==(const RootShare&) const = default;
};

/// The contents of a group while it pauses: roots, and bytes in queues that another pause stops. Weights are
/// of any unit, the same within a pause.
struct PauseParts {
  struct Beyond {
    uint32_t pause = 0;  ///< its place among all
    PauseRoot queue;     ///< that it stops; a cycle's root is one of these
    double weight = 0;
  };
  std::vector<RootShare> roots;
  std::vector<Beyond> beyond;
};

/// Ways of so many pauses that have not come to a root are in a cycle.
inline constexpr int kLongestWay = 200;
/// Roots of less than this share of a pause are PauseRoot::Kind::rest together.
inline constexpr double kSmallestShare = 1e-4;

/// By pause, the shares of its roots, which sum to 1, the largest first. A pause without parts has none.
std::vector<std::vector<RootShare>> ResolveRoots(const std::vector<PauseParts>& pauses);

}  // namespace headroom

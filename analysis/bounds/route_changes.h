// The changes of a scenario's routes when its links go down and come up again.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// From `at` on the routes leave out the links with `down` other than 0.
struct RouteChange {
  Time at;
  std::vector<int> down;
};

/// In the order of time, up to the deadline: the effects of `link_down` faults on the routes. Each set of
/// links appears once, and the empty set never. At most `most` sets; `all`: whether the list is complete.
struct RouteChanges {
  std::vector<RouteChange> changes;
  bool all = true;
};
RouteChanges RouteChangesOf(const Scenario& scenario, size_t most);

}  // namespace headroom

// How the routes of a scenario change as its links go down and come up again.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace headroom {

/// From `at` on the routes leave out the links that are not 0 in `down`.
struct RouteChange {
  Time at;
  std::vector<int> down;
};

/// In the order of time, up to the deadline: what the faults `link_down` do to the routes, each set of links
/// once, and not the set of no links. At most `most` sets; `all`: whether there are no others.
struct RouteChanges {
  std::vector<RouteChange> changes;
  bool all = true;
};
RouteChanges RouteChangesOf(const Scenario& scenario, size_t most);

}  // namespace headroom

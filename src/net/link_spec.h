// The properties of a cable.
#pragma once

#include "sim/units.h"

namespace headroom {

/// Some frames take longer than others on a cable, so that later frames overtake them.
struct LinkReorder {
  double probability = 0;  ///< for each frame except PFC, independently
  Time least, most;        ///< its additional delay is uniform between these, both included
  bool operator==(const LinkReorder&) const = default;
};

/// A cable's rate, and the delay of a bit on it.
struct LinkSpec {
  Rate rate;
  Time delay;         ///< propagation, one way
  Time phy;           ///< added by the transceivers of both ends together, one way
  double loss = 0.0;  ///< probability that a frame is lost, each direction
  int weight = 1;     ///< share of the traffic among the equal next hops of the node at either end
  LinkReorder reorder{};
  bool operator==(const LinkSpec&) const = default;
};

}  // namespace headroom

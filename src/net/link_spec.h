// What a cable is.
#pragma once

#include "sim/units.h"

namespace headroom {

/// A cable's rate, and what a bit waits on it.
struct LinkSpec {
  Rate rate;
  Time delay;         ///< propagation, one way
  Time phy;           ///< added by the transceivers of both ends together, one way
  double loss = 0.0;  ///< probability that a frame is lost, each direction
  bool operator==(const LinkSpec&) const = default;
};

}  // namespace headroom

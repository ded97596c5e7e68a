// How much the lossless groups of a switch can hold together.
#pragma once

#include "analysis/bounds/switch_classes.h"
#include "net/traffic_class.h"

namespace headroom {

/// All groups of a class and slice but one, with nothing else in the pool: they wait for one egress port.
struct GroupFill {
  uint32_t groups = 0;
  Bytes before_xoff;  ///< reserved and shared, when all of them have reached their limit
  Bytes headroom;     ///< on top, as far as links can bring it and the headroom pool has it
  Bytes for_sure;     ///< of that, the bytes of large frames even with nothing in the way of the pauses
  Bytes Total() const { return before_xoff + headroom; }
};

/// The groups of all ports of `besides` except one, the egress port; `share` of each kind of them, between 0
/// and 1. Dynamic groups hold most when they fill one after another: each takes α / (1 + α) of what those
/// before it have left of S, and keeps it when its limit shrinks. REQUIRES: `besides` is one of the class's
/// ports.
GroupFill FillBesides(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                      const PortClass& besides, uint8_t slice, double share = 1);

}  // namespace headroom

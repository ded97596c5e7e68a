// The bytes that the lossless groups of a switch can hold together.
#pragma once

#include "analysis/bounds/switch_classes.h"
#include "net/traffic_class.h"

namespace headroom {

/// All groups of a class and slice except one, with nothing else in the pool: they wait for one egress port.
struct GroupFill {
  uint32_t groups = 0;
  Bytes before_xoff;  ///< reserved and shared bytes, when all groups have reached their limit
  Bytes headroom;     ///< additional bytes, as far as links can deliver them and the headroom pool has room
  Bytes for_sure;     ///< the part of `headroom` that large frames fill even if nothing delays the pauses
  Bytes Total() const { return before_xoff + headroom; }
};

/// The groups of all ports except `besides`, the egress port; `share` of each kind of port, between 0 and 1.
/// Dynamic groups hold most when they fill one after another: each takes α / (1 + α) of the part of S that
/// earlier ones left, and keeps it when its limit shrinks. REQUIRES: `besides` is one of the class's ports.
GroupFill FillBesides(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                      const PortClass& besides, uint8_t slice, double share = 1);

}  // namespace headroom

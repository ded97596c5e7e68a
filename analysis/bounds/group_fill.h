// How much the lossless groups of a switch can hold together.
#pragma once

#include "analysis/bounds/switch_classes.h"
#include "net/traffic_class.h"

namespace headroom {

/// All groups of a class and slice but one, equally full, and nothing else in the pool: what waits for one
/// egress port.
struct GroupFill {
  uint32_t groups = 0;
  Bytes before_xoff;  ///< reserved and shared, when all of them are at their limit
  Bytes headroom;     ///< on top, as far as links can bring it and the headroom pool has it
  Bytes Total() const { return before_xoff + headroom; }
};

/// The groups of all ports but one of those of `besides`, which the frames leave by; `share` of each kind of
/// them, between 0 and 1. With dynamic limits each
/// is at T = α (S − Σ T), so Σ T = S · Σα / (1 + Σα). REQUIRES: `besides` is one of the class's ports.
GroupFill FillBesides(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                      const PortClass& besides, uint8_t slice, double share = 1);

}  // namespace headroom

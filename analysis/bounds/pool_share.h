// What the other classes may hold of the pool that a queue draws on.
#pragma once

#include "analysis/bounds/switch_classes.h"

namespace headroom {

/// In one slice, while the groups of `traffic` hold `own` for the queue: as much as the queues of other
/// classes that somebody sends in may take of the pool, and as their groups let in. REQUIRES: `queue` is of
/// the class, in this slice.
Bytes HeldByOthers(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                   const SharedBuffer::Allowance& queue, Bytes own);

}  // namespace headroom

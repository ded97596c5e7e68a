// The bytes that other classes may hold in a queue's pool.
#pragma once

#include "analysis/bounds/switch_classes.h"

namespace headroom {

/// In one slice, while the groups of `traffic` hold `own` for the queue: the bytes of the pool that queues of
/// other classes with senders may take, limited by their groups. REQUIRES: `queue` belongs to the class, in
/// this slice.
Bytes HeldByOthers(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                   const SharedBuffer::Allowance& queue, Bytes own);

}  // namespace headroom

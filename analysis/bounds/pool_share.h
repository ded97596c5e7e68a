// The bytes that other classes may hold in a queue's pool.
#pragma once

#include "analysis/bounds/switch_classes.h"

namespace headroom {

/// The bytes of the pool, in one slice, that queues of other classes with senders may take while the groups
/// of `traffic` hold `own` for the queue. The groups of those classes limit these bytes. REQUIRES: `queue`
/// belongs to the class, in this slice.
Bytes HeldByOthers(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                   const SharedBuffer::Allowance& queue, Bytes own);

}  // namespace headroom

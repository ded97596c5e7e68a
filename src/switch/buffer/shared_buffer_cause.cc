// Class SharedBuffer: what was full when a frame did not fit.
#include <algorithm>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

DropCause SharedBuffer::CauseOf(DropReason reason, const Place& at, uint32_t charge,
                                FirstWindow first_window) const {
  const Group& g = GroupOf(at.in, at.group);
  const Profile& profile = ProfileOf(g);
  const Pool& pool = pools_[profile.limit.pool];
  switch (reason) {
    case DropReason::buffer_full:
      if (charge > hot_.room) return {reason, -1, size_, resident()};
      return {reason, -1, size_ / slices_, slice_resident_[slice_of_[at.in]]};
    case DropReason::egress_limit: {
      const size_t place = QueueAt(at);
      const int64_t used = queues_.empty() ? queue_bytes_(at.out, at.queue) : queues_[place];
      return BeyondLimit({reason, at.queue}, used, charge, QueueLimit(place),
                         {ObjectOfQueue(place), first_window});
    }
    case DropReason::ingress_limit:
      return BeyondLimit({reason, at.group}, g.used, charge, profile.limit, {ObjectOf(g), first_window});
    case DropReason::group_cap:
      return {reason, at.group, profile.xoff, g.headroom};
    case DropReason::headroom_full:
      return {reason, at.group, pool.headroom_size, pool.headroom_used};
    default:
      return {reason};
  }
}

/// The limit of an object with `used` bytes, of its port or of its pool: the first that has no room for
/// `charge` more.
DropCause SharedBuffer::BeyondLimit(DropCause cause, int64_t used, uint32_t charge, const Limit& limit,
                                    const Question& q) const {
  const int64_t over = used + charge - limit.reserved, now = LimitNow<true>(limit, q);
  const int64_t held = HeldBy<true>(limit, q, over);
  if (held > now) {
    cause.limit = limit.reserved + now;
    cause.fill = limit.reserved + held - charge;
    return cause;
  }
  Claim claim;
  claim.pool = std::min<int64_t>(over, charge);
  if (const PortUse* const port = limit.port != 0 ? &port_uses_[limit.port] : nullptr;
      port != nullptr && !ClaimsOfPort(*port, &claim)) {
    cause.limit = port->limit.reserved + LimitNow(port->limit);
    cause.fill = port->used;
  } else {
    cause.limit = limit.pool_cap;
    cause.fill = hot_.pools[limit.pool].shared;
  }
  return cause;
}

}  // namespace headroom

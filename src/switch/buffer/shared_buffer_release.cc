// A frame leaves: what it was charged is given back, and its group may resume.
#include <algorithm>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

/// Takes `charge` bytes back from an object that has `used`: what is beyond its reserve from its port and the
/// pool.
template <bool kDivided>
inline void SharedBuffer::GiveBack(int64_t used, const Limit& limit, int64_t charge) {
  int64_t shared = std::clamp<int64_t>(used - limit.reserved, 0, charge);
  if (kDivided && limit.port != 0) {
    PortUse& of_port = port_uses_[limit.port];
    const int64_t over = of_port.used - of_port.limit.reserved;
    of_port.used -= shared;
    shared = std::clamp<int64_t>(over, 0, shared);
  }
  hot_.pools[limit.pool].shared_used -= shared;
}

template <bool kDivided>
inline SharedBuffer::Signal SharedBuffer::ReleaseAs(const Place& at, uint32_t charge) {
  Queue& q = hot_.queues[kDivided ? QueueAt(at) : At(at.out, at.queue)];
  GiveBack<kDivided>(q.used, q.limit, charge);
  q.used -= charge;
  hot_.room += charge;
  if (kDivided) slice_resident_[slice_of_[at.in]] -= charge;

  Group& g = GroupOf(at.in, at.group);
  int64_t rest = charge;
  if (g.headroom > 0) {
    const int64_t from_headroom = std::min<int64_t>(g.headroom, charge);
    rest -= from_headroom;
    g.headroom -= from_headroom;
    pools_[g.limit.pool].headroom_used -= from_headroom;
    hot_.headroom -= from_headroom;
  }
  GiveBack<kDivided>(g.used, g.limit, rest);
  g.used -= rest;

  if (!g.xoff || g.headroom > 0 || !MayResume(g)) return Signal::none;
  g.xoff = false;
  xoff_trace_(at.in, at.group, false);
  return Signal::xon;
}

SharedBuffer::Signal SharedBuffer::Release(const Place& at, uint32_t charge) {
  if (hot_.divided) [[unlikely]]
    return ReleaseAs<true>(at, charge);
  return ReleaseAs<false>(at, charge);
}

/// At most xon, or xon_offset below every limit. The first lets a group that is all but empty resume whatever
/// others hold: nobody tells it when they let go.
bool SharedBuffer::MayResume(const Group& g) const {
  const GroupProfile& profile = GroupProfileOf(g);
  if (g.used <= profile.xon) return true;
  if (g.used - g.limit.reserved + profile.xon_offset > LimitNow(g.limit)) return false;
  if (g.limit.port == 0) return true;
  const PortUse& of_port = port_uses_[g.limit.port];
  const int64_t over = of_port.used - of_port.limit.reserved;
  return over <= 0 || over + profile.xon_offset <= LimitNow(of_port.limit);
}

}  // namespace headroom

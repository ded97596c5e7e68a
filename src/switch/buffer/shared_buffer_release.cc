// A frame leaves: what it was charged is given back, and its group may resume.
#include <algorithm>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

/// Takes `charge` bytes back from an object that has `used`: what is beyond its reserve from its port and the
/// pool.
template <bool kDivided>
inline void SharedBuffer::GiveBack(int64_t used, const Limit& limit, uint16_t port, int64_t charge) {
  int64_t shared = std::clamp<int64_t>(used - limit.reserved, 0, charge);
  if (kDivided && port != 0) {
    PortUse& of_port = port_uses_[port];
    const int64_t over = of_port.used - of_port.limit.reserved;
    of_port.used -= shared;
    shared = std::clamp<int64_t>(over, 0, shared);
  }
  pools_[limit.pool].shared_used -= shared;
}

template <bool kDivided>
inline SharedBuffer::Signal SharedBuffer::ReleaseAs(const Place& at, uint32_t charge) {
  Queue& q = queues_[kDivided ? QueueAt(at) : At(at.out, at.queue)];
  GiveBack<kDivided>(q.used, queue_profiles_[q.profile], q.port, charge);
  q.used -= charge;
  resident_ -= charge;
  if (kDivided) slice_resident_[slice_of_[at.in]] -= charge;

  Group& g = GroupOf(at.in, at.group);
  const GroupProfile& profile = GroupProfileOf(g);
  int64_t rest = charge;
  if (g.headroom > 0) {
    const int64_t from_headroom = std::min<int64_t>(g.headroom, charge);
    rest -= from_headroom;
    g.headroom -= from_headroom;
    pools_[profile.limit.pool].headroom_used -= from_headroom;
    headroom_total_ -= from_headroom;
  }
  GiveBack<kDivided>(g.used, profile.limit, g.port, rest);
  g.used -= rest;
  ingress_used_ -= rest;

  if (!g.xoff || g.headroom > 0 || !MayResume(g, profile)) return Signal::none;
  g.xoff = false;
  xoff_trace_(at.in, at.group, false);
  return Signal::xon;
}

SharedBuffer::Signal SharedBuffer::Release(const Place& at, uint32_t charge) {
  return divided_ ? ReleaseAs<true>(at, charge) : ReleaseAs<false>(at, charge);
}

/// At most xon, or xon_offset below every limit. The first lets a group that is all but empty resume whatever
/// others hold: nobody tells it when they let go.
bool SharedBuffer::MayResume(const Group& g, const GroupProfile& profile) const {
  if (g.used <= profile.xon) return true;
  if (g.used - profile.limit.reserved + profile.xon_offset > LimitNow(profile.limit)) return false;
  if (g.port == 0) return true;
  const PortUse& of_port = port_uses_[g.port];
  const int64_t over = of_port.used - of_port.limit.reserved;
  return over <= 0 || over + profile.xon_offset <= LimitNow(of_port.limit);
}

}  // namespace headroom

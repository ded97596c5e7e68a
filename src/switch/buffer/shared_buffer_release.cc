// A frame leaves: its charge is released, and its group may resume.
#include <algorithm>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

/// Releases `charge` bytes from an object that has `used`: bytes beyond its reserve return to its port and
/// the pool.
template <bool kUnusual>
inline void SharedBuffer::GiveBack(int64_t used, const Limit& limit, int64_t charge) {
  int64_t shared = std::clamp<int64_t>(used - limit.reserved, 0, charge);
  if (kUnusual && limit.port != 0) {
    PortUse& of_port = port_uses_[limit.port];
    const int64_t over = of_port.used - of_port.limit.reserved;
    of_port.used -= shared;
    shared = std::clamp<int64_t>(over, 0, shared);
  }
  hot_.pools[limit.pool].shared -= shared;
}

template <bool kUnusual>
[[gnu::always_inline]] inline SharedBuffer::Signal SharedBuffer::ReleaseAs(const Place& at, uint32_t charge,
                                                                           int64_t in_queue) {
  if (kUnusual && policy_) policy_->AdvanceTo(now_());
  const size_t place = kUnusual ? QueueAt(at) : At(at.out, at.queue);
  GiveBack<kUnusual>(in_queue + charge, QueueLimit(place), charge);
  if (kUnusual && policy_) TellPolicy(ObjectOfQueue(place), QueueLimit(place), in_queue, charge);
  hot_.room += charge;
  if (kUnusual) slice_resident_[slice_of_[at.in]] -= charge;

  Group& g = GroupOf(at.in, at.group);
  const Limit& own = ProfileOf(g).limit;
  int64_t rest = charge;
  if (g.headroom > 0) {
    const int64_t from_headroom = std::min<int64_t>(g.headroom, charge);
    rest -= from_headroom;
    g.headroom -= from_headroom;
    pools_[own.pool].headroom_used -= from_headroom;
    hot_.headroom -= from_headroom;
  }
  GiveBack<kUnusual>(g.used, own, rest);
  g.used -= rest;
  if (kUnusual && policy_) TellPolicy(ObjectOf(g), own, g.used, charge);

  if (!g.xoff || g.headroom > 0 || !MayResume<kUnusual>(g)) return Signal::none;
  g.xoff = false;
  Tell(at, false);
  return Signal::xon;
}

SharedBuffer::Signal SharedBuffer::Release(const Place& at, uint32_t charge, int64_t in_queue) {
  return ReleaseAs<false>(at, charge, in_queue);
}

[[gnu::noinline]] SharedBuffer::Signal SharedBuffer::Release(const Place& at, uint32_t charge) {
  int64_t& used = queues_[QueueAt(at)];
  used -= charge;
  return hot_.unusual ? ReleaseAs<true>(at, charge, used) : ReleaseAs<false>(at, charge, used);
}

/// The group resumes at or below xon, or xon_offset below every limit. The first condition lets a nearly
/// empty group resume regardless of others, because no event reports that they released memory.
template <bool kUnusual>
[[gnu::noinline]] bool SharedBuffer::MayResume(const Group& g) const {
  const Profile& profile = ProfileOf(g);
  const Limit& own = profile.limit;
  if (g.used <= profile.xon) return true;
  const Question q{kUnusual ? ObjectOf(g) : 0, FirstWindow::no};
  const int64_t held = HeldBy<kUnusual>(own, q, g.used - own.reserved);
  if (held + profile.xon_offset > LimitNow<kUnusual>(own, q)) return false;
  if (!kUnusual || own.port == 0) return true;
  const PortUse& of_port = port_uses_[own.port];
  const int64_t over = of_port.used - of_port.limit.reserved;
  return over <= 0 || over + profile.xon_offset <= LimitNow(of_port.limit);
}

}  // namespace headroom

// A frame arrives: decides whether it fits, to what it is charged, and whether its group pauses the
// neighbour.
#include <algorithm>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

/// Whether an object with `over` bytes beyond its reserve, including the new `charge`, stays within its
/// limit, its port's and the pool's.
template <bool kUnusual>
[[gnu::always_inline]] inline bool SharedBuffer::Claims(int64_t over, const Limit& limit, const Question& q,
                                                        int64_t charge, Claim* claim) const {
  if (over <= 0) return true;
  if (HeldBy<kUnusual>(limit, q, over) > LimitNow<kUnusual>(limit, q)) return false;
  claim->pool = std::min(over, charge);
  if (kUnusual && limit.port != 0 && !ClaimsOfPort(port_uses_[limit.port], claim)) return false;
  return hot_.pools[limit.pool].shared + claim->pool <= limit.pool_cap;
}

/// Whether the port stays within its limit. claim->pool is the object's amount beyond its own reserve, and
/// becomes the port's amount beyond the port's reserve.
bool SharedBuffer::ClaimsOfPort(const PortUse& use, Claim* claim) const {
  claim->port = claim->pool;
  const int64_t over = use.used + claim->port - use.limit.reserved;
  if (over > 0 && over > LimitNow(use.limit)) return false;
  claim->pool = std::clamp<int64_t>(over, 0, claim->port);
  return true;
}

template <bool kUnusual>
inline void SharedBuffer::Take(const Limit& limit, const Claim& claim) {
  if (kUnusual && limit.port != 0) port_uses_[limit.port].used += claim.port;
  PoolUse& pool = hot_.pools[limit.pool];
  pool.shared += claim.pool;
  if (pool.shared > pool.peak_shared) pool.peak_shared = pool.shared;
}

void SharedBuffer::NoteClosest(int64_t shared, int64_t limit) {
  if (static_cast<double>(shared) > hot_.closest * static_cast<double>(limit)) {
    hot_.closest = limit > 0 ? static_cast<double>(shared) / static_cast<double>(limit) : 1;
  }
}

template <bool kUnusual>
[[gnu::always_inline]] inline SharedBuffer::Admission SharedBuffer::AdmitIngress(const Place& at, Group& g,
                                                                                 int64_t charge,
                                                                                 FirstWindow first_window) {
  if (g.lossless && g.xoff && !hot_.headroom_per_packet) return ToHeadroom(at, g, charge);

  const Limit& own = ProfileOf(g).limit;
  const int64_t over = g.used + charge - own.reserved;
  const Question q{kUnusual ? ObjectOf(g) : 0, first_window};
  const int64_t limit = LimitNow<kUnusual>(own, q);
  Claim claim;
  if (!Claims<kUnusual>(over, own, q, charge, &claim)) {
    if (!g.lossless) return {false, Signal::none, DropReason::ingress_limit};
    hot_.closest = 1;
    return ToHeadroom(at, g, charge);
  }
  g.used += charge;
  if (g.used > g.peak) g.peak = g.used;
  Take<kUnusual>(own, claim);
  if (kUnusual && policy_) TellPolicy(q.object, own, g.used, -1);
  if (!g.lossless) return {};
  if (g.headroom > 0) NoteHeadroom(at, g);
  if (over <= 0) return {};
  const int64_t held = HeldBy<kUnusual>(own, q, over);
  NoteClosest(held, limit);
  // The frame itself may have used the rest of the limit.
  if (g.xoff) return {};
  const bool at_limit =
      held >= LimitNow<kUnusual>(own, q) || (kUnusual && own.port != 0 && AtLimit(port_uses_[own.port]));
  if (!at_limit) return {};
  g.xoff = true;
  hot_.closest = 1;
  return {true, Signal::xoff, {}};
}

template <bool kUnusual>
[[gnu::always_inline]] inline SharedBuffer::Admission SharedBuffer::AdmitAs(const Place& at, uint32_t charge,
                                                                            int64_t in_queue,
                                                                            FirstWindow first_window) {
  if (kUnusual && policy_) policy_->AdvanceTo(now_());
  if (charge > hot_.room) return {false, Signal::none, DropReason::buffer_full};
  if (kUnusual && slice_resident_[slice_of_[at.in]] + charge > size_ / slices_)
    return {false, Signal::none, DropReason::buffer_full};
  const size_t place = kUnusual ? QueueAt(at) : At(at.out, at.queue);
  const Limit& queue = QueueLimit(place);
  const Question q{kUnusual ? ObjectOfQueue(place) : 0, first_window};
  Claim claim;
  if (!Claims<kUnusual>(in_queue + charge - queue.reserved, queue, q, charge, &claim))
    return {false, Signal::none, DropReason::egress_limit};

  Group& g = GroupOf(at.in, at.group);
  const Admission result = AdmitIngress<kUnusual>(at, g, charge, first_window);
  if (result.signal == Signal::xoff) Tell(at, true);
  if (!result.admitted) return result;

  Take<kUnusual>(queue, claim);
  if (kUnusual && policy_) TellPolicy(q.object, queue, in_queue + charge, -1);
  hot_.room -= charge;
  NotePeaks();
  if (kUnusual) slice_resident_[slice_of_[at.in]] += charge;
  return result;
}

inline void SharedBuffer::NotePeaks() {
  hot_.least_room = std::min(hot_.least_room, hot_.room + hot_.headroom);
  if (hot_.headroom > 0) [[unlikely]]
    peak_with_headroom_ = std::max(peak_with_headroom_, resident());
}

SharedBuffer::Admission SharedBuffer::Admit(const Place& at, uint32_t charge, int64_t in_queue) {
  return AdmitAs<false>(at, charge, in_queue, FirstWindow::no);
}

[[gnu::noinline]] SharedBuffer::Admission SharedBuffer::Admit(const Place& at, uint32_t charge,
                                                              FirstWindow first_window) {
  int64_t& used = queues_[QueueAt(at)];
  const Admission result = hot_.unusual ? AdmitAs<true>(at, charge, used, first_window)
                                        : AdmitAs<false>(at, charge, used, first_window);
  if (result.admitted) used += charge;
  return result;
}

/// The bytes in use of an object, and of its pool, have changed. `released`: bytes that left; negative if
/// some arrived.
void SharedBuffer::TellPolicy(uint32_t object, const Limit& limit, int64_t used, int64_t released) {
  const int64_t shared = std::max<int64_t>(0, used - limit.reserved);
  if (released < 0) return policy_->Admitted(object, shared, FreeOf(limit));
  policy_->Released(object, shared, FreeOf(limit), released);
}

/// A separate function, because its loop over listeners would cost registers in a frame's path.
[[gnu::noinline]] void SharedBuffer::Tell(const Place& at, bool xoff) { xoff_trace_(at.in, at.group, xoff); }

/// Whether a port that may have bytes beyond its reserve is full.
bool SharedBuffer::AtLimit(const PortUse& use) const {
  const int64_t over = use.used - use.limit.reserved;
  return over > 0 && over >= LimitNow(use.limit);
}

[[gnu::noinline]] SharedBuffer::Admission SharedBuffer::ToHeadroom(const Place& at, Group& g,
                                                                   int64_t charge) {
  const Profile& profile = ProfileOf(g);
  Pool& pool = pools_[profile.limit.pool];
  const bool own_full = g.headroom + charge > profile.xoff;
  const bool pool_full = pool.headroom_size > 0 && pool.headroom_used + charge > pool.headroom_size;
  const bool dropped = own_full || pool_full;
  // The group is at its limit, whether or not this frame still fits. But an empty group would wait for ever,
  // because it resumes when one of its frames leaves.
  const Signal signal = g.xoff || (dropped && g.used == 0) ? Signal::none : Signal::xoff;
  if (signal == Signal::xoff) g.xoff = true;
  if (dropped) return {false, signal, own_full ? DropReason::group_cap : DropReason::headroom_full};
  g.headroom += charge;
  pool.headroom_used += charge;
  pool.peak_headroom = std::max(pool.peak_headroom, pool.headroom_used);
  hot_.headroom += charge;
  peak_headroom_ = std::max(peak_headroom_, hot_.headroom);
  NoteHeadroom(at, g);
  return {true, signal, {}};
}

void SharedBuffer::NoteHeadroom(const Place& at, const Group& g) {
  if (group_peaks_.empty()) group_peaks_.resize(groups_.size());
  GroupPeaks& peaks = group_peaks_[At(at.in, at.group)];
  peaks.headroom = std::max(peaks.headroom, g.headroom);
  peaks.total = std::max(peaks.total, g.used + g.headroom);
}

}  // namespace headroom

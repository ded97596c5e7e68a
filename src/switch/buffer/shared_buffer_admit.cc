// A frame comes in: does it fit, what is it charged to, and does its group pause the neighbour.
#include <algorithm>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

/// Whether an object that would have `over` bytes beyond its reserve with the `charge` that comes stays
/// within its limit, its port's and the pool.
template <bool kDivided>
inline bool SharedBuffer::Claims(int64_t over, const Limit& limit, uint16_t port, int64_t charge,
                                 Claim* claim) const {
  if (over <= 0) return true;
  if (over > LimitNow(limit)) return false;
  claim->pool = std::min(over, charge);
  if (kDivided && port != 0 && !ClaimsOfPort(port_uses_[port], claim)) return false;
  const Pool& pool = pools_[limit.pool];
  return pool.shared_used + claim->pool <= pool.cap;
}

/// The same of the port: claim->pool is what the object takes beyond its own reserve, and becomes what the
/// port takes beyond its.
bool SharedBuffer::ClaimsOfPort(const PortUse& use, Claim* claim) const {
  claim->port = claim->pool;
  const int64_t over = use.used + claim->port - use.limit.reserved;
  if (over > 0 && over > LimitNow(use.limit)) return false;
  claim->pool = std::clamp<int64_t>(over, 0, claim->port);
  return true;
}

template <bool kDivided>
inline void SharedBuffer::Take(const Limit& limit, uint16_t port, const Claim& claim) {
  if (kDivided && port != 0) port_uses_[port].used += claim.port;
  Pool& pool = pools_[limit.pool];
  pool.shared_used += claim.pool;
  if (pool.shared_used > pool.peak_shared) pool.peak_shared = pool.shared_used;
}

void SharedBuffer::NoteClosest(int64_t shared, int64_t limit) {
  if (static_cast<double>(shared) > closest_ * static_cast<double>(limit)) {
    closest_ = limit > 0 ? static_cast<double>(shared) / static_cast<double>(limit) : 1;
  }
}

template <bool kDivided>
inline SharedBuffer::Admission SharedBuffer::AdmitIngress(const Place& at, Group& g,
                                                          const GroupProfile& profile, int64_t charge) {
  if (profile.lossless && g.xoff && !headroom_per_packet_) return ToHeadroom(at, g, profile, charge);

  const int64_t over = g.used + charge - profile.limit.reserved;
  const int64_t limit = LimitNow(profile.limit);
  Claim claim;
  if (!Claims<kDivided>(over, profile.limit, g.port, charge, &claim)) {
    if (!profile.lossless) return {false, Signal::none, DropReason::ingress_limit};
    closest_ = 1;
    return ToHeadroom(at, g, profile, charge);
  }
  g.used += charge;
  if (g.used > g.peak) g.peak = g.used;
  Take<kDivided>(profile.limit, g.port, claim);
  ingress_used_ += charge;
  if (ingress_used_ > peak_ingress_) peak_ingress_ = ingress_used_;
  if (!profile.lossless) return {};
  if (g.headroom > 0) NoteHeadroom(at, g);
  if (over <= 0) return {};
  NoteClosest(over, limit);
  // The frame itself may have used up what was left of the limit.
  if (g.xoff) return {};
  const bool at_limit =
      over >= LimitNow(profile.limit) || (kDivided && g.port != 0 && AtLimit(port_uses_[g.port]));
  if (!at_limit) return {};
  g.xoff = true;
  closest_ = 1;
  return {true, Signal::xoff, {}};
}

template <bool kDivided>
inline SharedBuffer::Admission SharedBuffer::AdmitAs(const Place& at, uint32_t charge) {
  if (resident_ + charge > size_) return {false, Signal::none, DropReason::buffer_full};
  if (kDivided && slice_resident_[slice_of_[at.in]] + charge > size_ / slices_)
    return {false, Signal::none, DropReason::buffer_full};
  Queue& q = queues_[kDivided ? QueueAt(at) : At(at.out, at.queue)];
  const Limit& limit = queue_profiles_[q.profile];
  Claim claim;
  if (!Claims<kDivided>(q.used + charge - limit.reserved, limit, q.port, charge, &claim))
    return {false, Signal::none, DropReason::egress_limit};

  Group& g = GroupOf(at.in, at.group);
  const Admission result = AdmitIngress<kDivided>(at, g, GroupProfileOf(g), charge);
  if (result.signal == Signal::xoff) xoff_trace_(at.in, at.group, true);
  if (!result.admitted) return result;

  Take<kDivided>(limit, q.port, claim);
  q.used += charge;
  resident_ += charge;
  if (resident_ > peak_resident_) peak_resident_ = resident_;
  if (kDivided) slice_resident_[slice_of_[at.in]] += charge;
  return result;
}

SharedBuffer::Admission SharedBuffer::Admit(const Place& at, uint32_t charge) {
  return divided_ ? AdmitAs<true>(at, charge) : AdmitAs<false>(at, charge);
}

/// Whether a port that may have bytes beyond its reserve can have no more.
bool SharedBuffer::AtLimit(const PortUse& use) const {
  const int64_t over = use.used - use.limit.reserved;
  return over > 0 && over >= LimitNow(use.limit);
}

SharedBuffer::Admission SharedBuffer::ToHeadroom(const Place& at, Group& g, const GroupProfile& profile,
                                                 int64_t charge) {
  Pool& pool = pools_[profile.limit.pool];
  const bool own_full = g.headroom + charge > profile.xoff;
  const bool pool_full = pool.headroom_size > 0 && pool.headroom_used + charge > pool.headroom_size;
  const bool dropped = own_full || pool_full;
  // The group is at its limit, whether or not this frame still finds room. But one that holds nothing would
  // wait for ever: it resumes when something of its own leaves.
  const Signal signal = g.xoff || (dropped && g.used == 0) ? Signal::none : Signal::xoff;
  if (signal == Signal::xoff) g.xoff = true;
  if (dropped) return {false, signal, own_full ? DropReason::group_cap : DropReason::headroom_full};
  g.headroom += charge;
  pool.headroom_used += charge;
  pool.peak_headroom = std::max(pool.peak_headroom, pool.headroom_used);
  headroom_total_ += charge;
  peak_headroom_ = std::max(peak_headroom_, headroom_total_);
  NoteHeadroom(at, g);
  return {true, signal, {}};
}

void SharedBuffer::NoteHeadroom(const Place& at, const Group& g) {
  GroupPeaks& peaks = group_peaks_[At(at.in, at.group)];
  peaks.headroom = std::max(peaks.headroom, g.headroom);
  peaks.total = std::max(peaks.total, g.used + g.headroom);
}

}  // namespace headroom

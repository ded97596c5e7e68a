#include "switch/shared_buffer.h"

#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

#include <algorithm>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(SharedBuffer);

ns3::TypeId SharedBuffer::GetTypeId() {
  static ns3::TypeId tid =
      ns3::TypeId("headroom::SharedBuffer")
          .SetParent<ns3::Object>()
          .SetGroupName("Headroom")
          .AddConstructor<SharedBuffer>()
          .AddAttribute("Resident", "Bytes in the buffer now, in whole cells.", ns3::TypeId::ATTR_GET,
                        ns3::UintegerValue(0), ns3::MakeUintegerAccessor(&SharedBuffer::resident),
                        ns3::MakeUintegerChecker<uint64_t>())
          .AddTraceSource("Xoff", "A priority group (port, priority) went XOFF (true) or XON (false).",
                          ns3::MakeTraceSourceAccessor(&SharedBuffer::xoff_trace_),
                          "headroom::SharedBuffer::XoffTrace");
  return tid;
}

int64_t SharedBuffer::LimitNow(const Limit& l) const {
  if (!l.dynamic) return l.fixed;
  const Pool& pool = pools_[l.pool];
  const int64_t free = std::max<int64_t>(0, pool.shared_size - pool.shared_used);
  return l.shift >= 0 ? free << l.shift : free >> -l.shift;
}

int64_t SharedBuffer::XoffThreshold(uint32_t port, int priority) const {
  return LimitNow(GroupProfileOf(GroupOf(port, priority)).limit);
}

SharedBuffer::Admission SharedBuffer::Admit(uint32_t in, uint32_t out, int priority, uint32_t charge) {
  if (resident_ + charge > size_) return {false, Signal::none, DropReason::buffer_full};
  Queue& q = queues_[At(out, priority)];
  const Limit& limit = queue_profiles_[q.profile];
  const int64_t over = q.used + charge - limit.reserved;
  if (over > 0 && over > LimitNow(limit)) return {false, Signal::none, DropReason::egress_limit};

  Group& g = GroupOf(in, priority);
  const Admission result = AdmitIngress(g, GroupProfileOf(g), charge);
  if (result.signal == Signal::xoff) xoff_trace_(in, priority, true);
  if (!result.admitted) return result;

  pools_[limit.pool].shared_used += std::clamp<int64_t>(over, 0, charge);
  q.used += charge;
  resident_ += charge;
  NotePeaks(g);
  return result;
}

SharedBuffer::Admission SharedBuffer::AdmitIngress(Group& g, const GroupProfile& profile, int64_t charge) {
  Pool& pool = pools_[profile.limit.pool];
  const bool to_headroom = profile.lossless && g.xoff && !rules_.headroom_per_packet;
  if (to_headroom) return ToHeadroom(g, profile, charge);

  const int64_t over = g.used + charge - profile.limit.reserved;
  const int64_t limit = LimitNow(profile.limit);
  if (over > 0 && over > limit) {
    if (!profile.lossless) return {false, Signal::none, DropReason::ingress_limit};
    closest_ = 1;
    return ToHeadroom(g, profile, charge);
  }
  g.used += charge;
  const int64_t shared = std::clamp<int64_t>(over, 0, charge);
  pool.shared_used += shared;
  ingress_used_ += charge;
  if (!profile.lossless || over <= 0) return {};
  NoteClosest(over, limit);
  // The frame itself may have used up what was left of the limit.
  if (!g.xoff && over >= LimitNow(profile.limit)) {
    g.xoff = true;
    closest_ = 1;
    return {true, Signal::xoff, {}};
  }
  return {};
}

SharedBuffer::Admission SharedBuffer::ToHeadroom(Group& g, const GroupProfile& profile, int64_t charge) {
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
  headroom_total_ += charge;
  return {true, signal, {}};
}

void SharedBuffer::NoteClosest(int64_t shared, int64_t limit) {
  if (static_cast<double>(shared) > closest_ * static_cast<double>(limit)) {
    closest_ = limit > 0 ? static_cast<double>(shared) / static_cast<double>(limit) : 1;
  }
}

void SharedBuffer::NotePeaks(Group& g) {
  g.peak = std::max(g.peak, g.used + g.headroom);
  g.peak_headroom = std::max(g.peak_headroom, g.headroom);
  peak_resident_ = std::max(peak_resident_, resident_);
  peak_headroom_ = std::max(peak_headroom_, headroom_total_);
  peak_ingress_ = std::max(peak_ingress_, ingress_used_);
}

SharedBuffer::Signal SharedBuffer::Release(uint32_t in, uint32_t out, int priority, uint32_t charge) {
  Queue& q = queues_[At(out, priority)];
  const Limit& queue_limit = queue_profiles_[q.profile];
  pools_[queue_limit.pool].shared_used -= std::clamp<int64_t>(q.used - queue_limit.reserved, 0, charge);
  q.used -= charge;
  resident_ -= charge;

  Group& g = GroupOf(in, priority);
  const GroupProfile& profile = GroupProfileOf(g);
  Pool& pool = pools_[profile.limit.pool];
  const int64_t from_headroom = std::min<int64_t>(g.headroom, charge);
  const int64_t rest = charge - from_headroom;
  g.headroom -= from_headroom;
  pool.headroom_used -= from_headroom;
  headroom_total_ -= from_headroom;
  pool.shared_used -= std::clamp<int64_t>(g.used - profile.limit.reserved, 0, rest);
  g.used -= rest;
  ingress_used_ -= rest;

  if (!g.xoff || g.headroom > 0) return Signal::none;
  const int64_t shared = g.used - profile.limit.reserved;
  if (g.used > profile.xon && shared + profile.xon_offset > LimitNow(profile.limit)) return Signal::none;
  g.xoff = false;
  xoff_trace_(in, priority, false);
  return Signal::xon;
}

void SharedBuffer::ResetPeaks() {
  closest_ = 0;
  for (Group& g : groups_) {
    g.peak = g.used + g.headroom;
    g.peak_headroom = g.headroom;
    const GroupProfile& profile = GroupProfileOf(g);
    if (!profile.lossless) continue;
    NoteClosest(g.used - profile.limit.reserved, LimitNow(profile.limit));
    if (g.xoff) closest_ = 1;
  }
  peak_resident_ = resident_;
  peak_headroom_ = headroom_total_;
  peak_ingress_ = ingress_used_;
}

bool SharedBuffer::Consistent() const {
  std::vector<Pool> sums(pools_.size());
  int64_t in_groups = 0, in_queues = 0;
  for (const Group& g : groups_) {
    const GroupProfile& p = GroupProfileOf(g);
    if (g.used < 0 || g.headroom < 0) return false;
    sums[p.limit.pool].shared_used += std::max<int64_t>(0, g.used - p.limit.reserved);
    sums[p.limit.pool].headroom_used += g.headroom;
    in_groups += g.used + g.headroom;
  }
  for (const Queue& q : queues_) {
    const Limit& l = queue_profiles_[q.profile];
    if (q.used < 0) return false;
    sums[l.pool].shared_used += std::max<int64_t>(0, q.used - l.reserved);
    in_queues += q.used;
  }
  for (size_t i = 0; i < pools_.size(); ++i) {
    if (sums[i].shared_used != pools_[i].shared_used || sums[i].headroom_used != pools_[i].headroom_used)
      return false;
  }
  return in_groups == resident_ && in_queues == resident_ && resident_ <= size_;
}

}  // namespace headroom

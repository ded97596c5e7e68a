#include "switch/buffer/shared_buffer.h"

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
          .AddAttribute("Resident", "Bytes now in the buffer, rounded up to whole cells.",
                        ns3::TypeId::ATTR_GET, ns3::UintegerValue(0),
                        ns3::MakeUintegerAccessor(&SharedBuffer::resident),
                        ns3::MakeUintegerChecker<uint64_t>())
          .AddTraceSource("Xoff", "A priority group (port, group) went XOFF (true) or XON (false).",
                          ns3::MakeTraceSourceAccessor(&SharedBuffer::xoff_trace_),
                          "headroom::SharedBuffer::XoffTrace");
  return tid;
}

int64_t SharedBuffer::XoffThreshold(uint32_t port, int group) const {
  const Group& g = GroupOf(port, group);
  return LimitNow<true>(ProfileOf(g).limit, {ObjectOf(g), FirstWindow::no});
}

int64_t SharedBuffer::queue_used(uint32_t port, int queue) const {
  if (queue_bytes_) return queue_bytes_(port, queue);
  int64_t sum = 0;
  for (size_t i = At(port, queue); i < queues_.size(); i += size_t{hot_.ports} * kPriorities)
    sum += queues_[i];
  return sum;
}

void SharedBuffer::TakeQueuesFrom(std::function<int64_t(uint32_t, int)> bytes) {
  queue_bytes_ = std::move(bytes);
  queues_.clear();
  queues_.shrink_to_fit();
}

bool SharedBuffer::Consistent() const {
  std::vector<int64_t> shared(pools_.size()), headroom(pools_.size()), of_ports(port_uses_.size());
  std::vector<int64_t> in_slices(slices_);
  int64_t in_groups = 0, in_queues = 0;
  const auto add = [&](int64_t used, const Limit& l) {
    const int64_t beyond = std::max<int64_t>(0, used - l.reserved);
    (l.port != 0 ? of_ports[l.port] : shared[l.pool]) += beyond;
  };
  for (size_t i = 0; i < groups_.size(); ++i) {
    const Group& g = groups_[i];
    const Profile& profile = ProfileOf(g);
    if (g.used < 0 || g.headroom < 0 || g.headroom > profile.xoff) return false;
    add(g.used, profile.limit);
    headroom[profile.limit.pool] += g.headroom;
    in_groups += g.used + g.headroom;
    in_slices[slice_of_[i % hot_.ports]] += g.used + g.headroom;
  }
  for (size_t i = 0; i < fixed_->queue_profile.size(); ++i) {
    const int64_t used =
        queue_bytes_ ? queue_bytes_(static_cast<uint32_t>(i % hot_.ports), static_cast<int>(i / hot_.ports))
                     : queues_[i];
    if (used < 0) return false;
    add(used, QueueLimit(i));
    in_queues += used;
  }
  for (size_t i = 1; i < port_uses_.size(); ++i) {
    const PortUse& use = port_uses_[i];
    if (use.used != of_ports[i]) return false;
    shared[use.limit.pool] += std::max<int64_t>(0, use.used - use.limit.reserved);
  }
  for (size_t i = 0; i < pools_.size(); ++i) {
    const Pool& pool = pools_[i];
    if (shared[i] != pool_uses_[i].shared || headroom[i] != pool.headroom_used) return false;
    if (pool_uses_[i].shared > pool.cap) return false;
    if (pool.headroom_size > 0 && pool.headroom_used > pool.headroom_size) return false;
  }
  if (hot_.unusual && in_slices != slice_resident_) return false;
  return in_groups == resident() && in_queues == resident() && hot_.room >= 0;
}

}  // namespace headroom

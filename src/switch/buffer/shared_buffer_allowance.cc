// The limits of the parts of a SharedBuffer, for computations without a run.
#include <algorithm>
#include <cmath>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

SharedBuffer::Allowance SharedBuffer::AllowanceOf(const Limit& own) const {
  const Pool& pool = pools_[own.pool];
  Allowance a;
  a.pool = own.pool;
  a.slice = own.pool == 0 ? uint8_t{0} : static_cast<uint8_t>((own.pool - 1u) % slices_);
  a.reserved = own.reserved;
  a.shared = pool.shared_size;
  a.cap = std::max<int64_t>(0, pool.cap);
  a.pool_headroom = pool.headroom_size;
  if (own.by_policy) {
    a.policy = policy_type_;
    a.fixed = kUnlimited;
  } else if (own.dynamic) {
    a.alpha = std::ldexp(own.value, -own.shift);
  } else {
    a.fixed = own.value;
  }
  if (own.port == 0) return a;
  // All objects of the port share the port's limit, so a single object cannot exceed it.
  const Limit& of_port = port_uses_[own.port].limit;
  const double alpha_of_port = std::ldexp(of_port.value, -of_port.shift);
  if (of_port.dynamic && !a.policy && (!a.alpha || alpha_of_port < *a.alpha)) a.alpha = alpha_of_port;
  if (!of_port.dynamic) a.of_port = of_port.value + of_port.reserved;
  return a;
}

SharedBuffer::Allowance SharedBuffer::group_allowance(uint32_t port, int group) const {
  const Group& g = GroupOf(port, group);
  Allowance a = AllowanceOf(ProfileOf(g).limit);
  a.headroom = ProfileOf(g).xoff;
  return a;
}

std::vector<SharedBuffer::Allowance> SharedBuffer::queue_allowances(uint32_t port, int queue) const {
  std::vector<Allowance> allowances;
  for (size_t i = At(port, queue); i < fixed_->queue_profile.size(); i += size_t{hot_.ports} * kPriorities)
    allowances.push_back(AllowanceOf(QueueLimit(i)));
  return allowances;
}

std::vector<SharedBuffer::PoolReserve> SharedBuffer::pool_reserves() const {
  std::vector<PoolReserve> reserves;
  for (size_t side = 0; side < sides_.size(); ++side) {
    PoolReserve& r = reserves.emplace_back(PoolReserve{sides_[side].name, sides_[side].egress});
    for (uint32_t s = 0; s < slices_; ++s) {
      const Pool& pool = pools_[1 + side * slices_ + s];
      r.reserved += pool.reserved;
      r.shared += pool.shared_size;
    }
  }
  return reserves;
}

}  // namespace headroom

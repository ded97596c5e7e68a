// From pools, profiles and assignments to the counters of SharedBuffer.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "switch/profiles.h"
#include "switch/shared_buffer.h"

namespace headroom {

namespace {

const BufferProfile& ProfileNamed(const BufferParameters& b, const std::string& name,
                                  const std::string& whose) {
  if (const BufferProfile* profile = FindProfile(b, name)) return *profile;
  throw std::invalid_argument(
      name.empty() ? fmt::format("no buffer profile for {}", whose)
                   : fmt::format("{} has buffer profile {}, which does not exist", whose, name));
}

template <class T>
uint16_t Interned(std::vector<T>& table, const T& value) {
  const auto index = std::find(table.begin(), table.end(), value) - table.begin();
  if (index == std::ssize(table)) table.push_back(value);
  return static_cast<uint16_t>(index);
}

}  // namespace

int64_t SharedBuffer::AddPool(const BufferParameters& parameters, const std::string& name, bool egress) {
  // A pool of both directions counts each direction by itself, or a frame would weigh twice.
  const std::string key = (egress ? "egress " : "ingress ") + name;
  const auto known = std::find(pool_keys_.begin(), pool_keys_.end(), key);
  if (known != pool_keys_.end()) return known - pool_keys_.begin();
  for (const BufferPool& p : parameters.pools) {
    if (p.name != name) continue;
    if (p.type == (egress ? BufferPool::Type::ingress : BufferPool::Type::egress)) {
      throw std::invalid_argument(fmt::format("pool {} serves the other direction", name));
    }
    pool_keys_.push_back(key);
    pools_.push_back({p.size.v, 0, egress ? 0 : p.xoff.v, 0});
    return static_cast<int64_t>(pools_.size()) - 1;
  }
  throw std::invalid_argument(fmt::format("pool {} does not exist", name));
}

void SharedBuffer::Setup(const BufferParameters& parameters, const std::vector<BufferPort>& ports,
                         const TrafficClasses& classes) {
  cell_ = static_cast<uint32_t>(parameters.cell.v);
  rules_ = parameters.rules;
  size_ = parameters.size.v;
  ports_ = static_cast<uint32_t>(ports.size());
  groups_.assign(ports.size() * kPriorities, {});
  queues_.assign(ports.size() * kPriorities, {});
  group_profiles_.assign(1, {});  // index 0: the priorities not in use
  queue_profiles_.assign(1, {});
  pool_keys_.assign(1, "");
  pools_.assign(1, {});

  for (uint32_t i = 0; i < ports.size(); ++i) {
    const BufferPort& port = ports[i];
    for (int p = 0; p < kPriorities; ++p) {
      const TrafficClass& c = classes[p];
      if (c.name.empty()) continue;
      const std::string who = fmt::format("port {}, priority {}", port.name, p);

      const BufferProfile group = ProfileAtPort(
          parameters,
          ProfileNamed(parameters, GroupProfileName(parameters, port.name, p, c.lossless), who + ", ingress"),
          port.rate, port.delay);
      GroupProfile g;
      g.limit.pool = static_cast<uint16_t>(AddPool(parameters, group.pool, false));
      g.limit.reserved = group.size.v;
      g.limit.dynamic = group.dynamic_th.has_value();
      g.limit.shift = static_cast<int8_t>(group.dynamic_th.value_or(0));
      g.limit.fixed = group.static_th.value_or(Bytes{}).v;
      g.xon = group.xon.v;
      g.xon_offset = group.xon_offset.v;
      // HPCC: no bytes below the reserve count as shared, so that an all but empty group always resumes.
      if (rules_.headroom_per_packet) g.xon = group.size.v;
      g.lossless = c.lossless;
      if (c.lossless) {
        if (!group.xoff || group.xoff->v <= 0) {
          throw std::invalid_argument(fmt::format(
              "{}: class {} is lossless but its group has no headroom (xoff) for this link", who, c.name));
        }
        g.xoff = group.xoff->v;
        headroom_configured_ += g.xoff;
      }
      Pool& in_pool = pools_[g.limit.pool];
      in_pool.shared_size -= group.size.v;
      if (rules_.headroom_from_link && c.lossless) in_pool.shared_size -= g.xoff;
      GroupOf(i, p).profile = Interned(group_profiles_, g);

      const BufferProfile& queue =
          ProfileNamed(parameters, QueueProfileName(parameters, port.name, p, c.lossless), who + ", egress");
      Limit q;
      q.pool = static_cast<uint16_t>(AddPool(parameters, queue.pool, true));
      q.reserved = queue.size.v;
      q.dynamic = queue.dynamic_th.has_value();
      q.shift = static_cast<int8_t>(queue.dynamic_th.value_or(0));
      q.fixed = queue.static_th.value_or(Bytes{}).v;
      pools_[q.pool].shared_size -= queue.size.v;
      queues_[At(i, p)].profile = Interned(queue_profiles_, q);
    }
  }
  // Groups that draw on one headroom pool cannot use more than it holds.
  for (const Pool& pool : pools_) {
    if (pool.headroom_size > 0) headroom_configured_ = std::min(headroom_configured_, pool.headroom_size);
  }
}

}  // namespace headroom

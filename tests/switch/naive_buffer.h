// A shared buffer the simple way: every sum is formed anew each time from the groups and queues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "net/traffic_class.h"
#include "switch/profiles.h"
#include "switch/shared_buffer.h"

namespace headroom {

class NaiveBuffer {
 public:
  NaiveBuffer(const BufferParameters& parameters, const std::vector<BufferPort>& ports,
              const TrafficClasses& classes)
      : parameters_(parameters) {
    const auto named = [&](const std::string& name) {
      return *std::find_if(parameters.profiles.begin(), parameters.profiles.end(),
                           [&](const BufferProfile& p) { return p.name == name; });
    };
    for (const BufferPort& port : ports) {
      for (int p = 0; p < kPriorities; ++p) {
        const TrafficClass& c = classes[p];
        Object group, queue;
        group.in_use = queue.in_use = !c.name.empty();
        if (group.in_use) {
          group.lossless = c.lossless;
          group.profile = ProfileAtPort(
              parameters, named(c.lossless ? parameters.lossless_group : parameters.lossy_group), port.rate,
              port.delay);
          queue.profile = named(c.lossless ? parameters.lossless_queue : parameters.lossy_queue);
        }
        groups_.push_back(group);
        queues_.push_back(queue);
      }
    }
  }

  SharedBuffer::Admission Admit(uint32_t in, uint32_t out, int priority, int64_t charge) {
    using Signal = SharedBuffer::Signal;
    Object& g = groups_[in * kPriorities + static_cast<uint32_t>(priority)];
    Object& q = queues_[out * kPriorities + static_cast<uint32_t>(priority)];
    if (Resident() + charge > parameters_.size.v) return {false, Signal::none, DropReason::buffer_full};
    if (!Fits(q, queues_, charge)) return {false, Signal::none, DropReason::egress_limit};
    const bool per_packet = parameters_.rules.headroom_per_packet;
    if ((!g.lossless || !g.xoff || per_packet) && Fits(g, groups_, charge)) {
      g.used += charge;
      q.used += charge;
      const int64_t shared = g.used - g.profile.size.v;
      if (!g.lossless || g.xoff || shared <= 0 || shared < Limit(g, groups_)) return {};
      g.xoff = true;
      return {true, Signal::xoff, {}};
    }
    if (!g.lossless) return {false, Signal::none, DropReason::ingress_limit};
    const BufferPool& pool = PoolOf(g);
    const bool own_full = g.headroom + charge > g.profile.xoff->v;
    const bool pool_full = pool.xoff.v > 0 && HeadroomOf(pool.name) + charge > pool.xoff.v;
    // Dropped or not, the group is at its limit; one that is empty would never hear that it may go on.
    const bool dropped = own_full || pool_full;
    const Signal signal = g.xoff || (dropped && g.used == 0) ? Signal::none : Signal::xoff;
    if (signal == Signal::xoff) g.xoff = true;
    if (dropped) return {false, signal, own_full ? DropReason::group_cap : DropReason::headroom_full};
    g.headroom += charge;
    q.used += charge;
    return {true, signal, {}};
  }

  SharedBuffer::Signal Release(uint32_t in, uint32_t out, int priority, int64_t charge) {
    Object& g = groups_[in * kPriorities + static_cast<uint32_t>(priority)];
    queues_[out * kPriorities + static_cast<uint32_t>(priority)].used -= charge;
    const int64_t from_headroom = std::min(g.headroom, charge);
    g.headroom -= from_headroom;
    g.used -= charge - from_headroom;
    if (!g.xoff || g.headroom > 0) return SharedBuffer::Signal::none;
    const int64_t xon = parameters_.rules.headroom_per_packet ? g.profile.size.v : g.profile.xon.v;
    if (g.used > xon && g.used - g.profile.size.v > Limit(g, groups_) - g.profile.xon_offset.v) {
      return SharedBuffer::Signal::none;
    }
    g.xoff = false;
    return SharedBuffer::Signal::xon;
  }

  int64_t Resident() const {
    int64_t sum = 0;
    for (const Object& q : queues_) sum += q.used;
    return sum;
  }
  int64_t Headroom() const {
    int64_t sum = 0;
    for (const Object& g : groups_) sum += g.headroom;
    return sum;
  }
  int64_t IngressUsed() const {
    int64_t sum = 0;
    for (const Object& g : groups_) sum += g.used;
    return sum;
  }
  int64_t used(uint32_t port, int p) const {
    return groups_[port * kPriorities + static_cast<uint32_t>(p)].used;
  }
  int64_t headroom(uint32_t port, int p) const {
    return groups_[port * kPriorities + static_cast<uint32_t>(p)].headroom;
  }
  bool xoff(uint32_t port, int p) const {
    return groups_[port * kPriorities + static_cast<uint32_t>(p)].xoff;
  }

 private:
  struct Object {
    bool in_use = false, lossless = false, xoff = false;
    BufferProfile profile;
    int64_t used = 0, headroom = 0;
  };

  const BufferPool& PoolOf(const Object& o) const {
    return *std::find_if(parameters_.pools.begin(), parameters_.pools.end(),
                         [&](const BufferPool& p) { return p.name == o.profile.pool; });
  }
  int64_t HeadroomOf(const std::string& pool) const {
    int64_t sum = 0;
    for (const Object& g : groups_) sum += g.profile.pool == pool ? g.headroom : 0;
    return sum;
  }
  /// What an object may use beyond its reserve, now. `side`: all objects of its direction.
  int64_t Limit(const Object& o, const std::vector<Object>& side) const {
    if (!o.profile.dynamic_th) return o.profile.static_th.value_or(Bytes{}).v;
    int64_t free = PoolOf(o).size.v;
    for (const Object& other : side) {
      if (!other.in_use || other.profile.pool != o.profile.pool) continue;
      free -= other.profile.size.v + std::max<int64_t>(0, other.used - other.profile.size.v);
      if (parameters_.rules.headroom_from_link && other.lossless && &side == &groups_)
        free -= other.profile.xoff->v;
    }
    free = std::max<int64_t>(0, free);
    const int th = *o.profile.dynamic_th;
    return th >= 0 ? free * (int64_t{1} << th) : free / (int64_t{1} << -th);
  }
  bool Fits(const Object& o, const std::vector<Object>& side, int64_t charge) const {
    const int64_t over = o.used + charge - o.profile.size.v;
    return over <= 0 || over <= Limit(o, side);
  }

  BufferParameters parameters_;
  std::vector<Object> groups_, queues_;
};

}  // namespace headroom

// A shared buffer in its simplest form: every sum is computed anew each time from the groups and queues.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "net/traffic_class.h"
#include "switch/buffer/profiles.h"
#include "switch/buffer/shared_buffer.h"

namespace headroom {

class NaiveBuffer {
 public:
  using Place = SharedBuffer::Place;
  using Signal = SharedBuffer::Signal;

  /// Groups and queues belong to the classes' priorities.
  NaiveBuffer(const BufferParameters& parameters, const std::vector<BufferPort>& ports,
              const TrafficClasses& classes)
      : parameters_(parameters), ports_(ports) {
    for (uint32_t i = 0; i < ports.size(); ++i) {
      for (int p = 0; p < kPriorities; ++p) {
        const bool lossless = classes[p].lossless;
        Object group = Make(i, SliceOf(i), !classes[p].name.empty(),
                            GroupProfileName(parameters, ports[i].name, p, lossless));
        if (group.in_use)
          group.profile = ProfileAtPort(parameters, group.profile, ports[i].rate, ports[i].delay);
        group.number = p;
        group.lossless = group.in_use && group.profile.xoff && group.profile.xoff->v > 0;
        groups_.push_back(group);
      }
    }
    for (uint32_t slice = 0; slice < Slices(); ++slice) {
      for (uint32_t i = 0; i < ports.size(); ++i) {
        for (int p = 0; p < kPriorities; ++p) {
          Object queue = Make(i, slice, !classes[p].name.empty(),
                              QueueProfileName(parameters, ports[i].name, p, classes[p].lossless));
          queue.egress = true;
          queue.number = p;
          queue.of_lossless = classes[p].lossless;
          queues_.push_back(queue);
        }
      }
    }
  }

  /// Records an event at this time. ABM measures at the first event that is at least an interval after its
  /// last measurement.
  void AdvanceTo(Time now) {
    if (parameters_.policy.type != PolicyType::abm || now - measured_ < parameters_.policy.interval) return;
    const Time span = now - std::exchange(measured_, now);
    std::vector<std::pair<Object*, bool>> all;
    for (auto* side : {&groups_, &queues_}) {
      for (Object& o : *side) {
        if (!ByPolicy(o)) continue;
        const int64_t most = Times(parameters_.policy.congested, OwnLimit(o, *side));
        all.push_back({&o, Beyond(o) > 0 && Beyond(o) >= most});
      }
    }
    for (const auto& [o, congested] : all) {
      o->congested = congested;
      const auto whole = static_cast<double>(BytesIn(span, ports_[o->port].rate).v);
      const double drain = std::floor(static_cast<double>(o->left) * 65536 / whole) / 65536;
      o->drain = !congested || drain < 0.125 || drain > 1 ? 1 : drain;
      o->left = 0;
    }
  }

  SharedBuffer::Admission Admit(const Place& at, int64_t charge, bool first_window = false) {
    const auto admission = AdmitAs(at, charge, first_window);
    if (admission.admitted) {
      Log(GroupAt(at.in, at.group), 0);
      Log(QueueAt(at), 0);
    }
    return admission;
  }

 private:
  SharedBuffer::Admission AdmitAs(const Place& at, int64_t charge, bool first_window) {
    Object& g = GroupAt(at.in, at.group);
    Object& q = QueueAt(at);
    if (Resident() + charge > parameters_.size.v ||
        ResidentIn(g.slice) + charge > parameters_.size.v / Slices())
      return {false, Signal::none, DropReason::buffer_full};
    if (!Fits(q, queues_, charge, first_window)) return {false, Signal::none, DropReason::egress_limit};
    const bool per_packet = parameters_.rules.headroom_per_packet;
    if ((!g.lossless || !g.xoff || per_packet) && Fits(g, groups_, charge, first_window)) {
      g.used += charge;
      q.used += charge;
      if (!g.lossless || g.xoff || g.used <= Reserved(g)) return {};
      const int64_t over = PortBeyond(g, groups_) - PortReserve(g, groups_);
      const BufferProfile* port = PortLimit(g, groups_);
      if (Held(g, g.used - Reserved(g)) < OwnLimit(g, groups_, first_window) &&
          (port == nullptr || over <= 0 || over < Limit(*port, g, groups_)))
        return {};
      g.xoff = true;
      return {true, Signal::xoff, {}};
    }
    if (!g.lossless) return {false, Signal::none, DropReason::ingress_limit};
    const bool own_full = g.headroom + charge > g.profile.xoff->v;
    const int64_t pool_xoff = PoolOf(g.profile).xoff.v / Slices();
    const bool pool_full = PoolOf(g.profile).xoff.v > 0 && HeadroomOf(g) + charge > pool_xoff;
    // Dropped or not, the group is at its limit; an empty group would never get its resume.
    const bool dropped = own_full || pool_full;
    const Signal signal = g.xoff || (dropped && g.used == 0) ? Signal::none : Signal::xoff;
    if (signal == Signal::xoff) g.xoff = true;
    if (dropped) return {false, signal, own_full ? DropReason::group_cap : DropReason::headroom_full};
    g.headroom += charge;
    q.used += charge;
    return {true, signal, {}};
  }

 public:
  Signal Release(const Place& at, int64_t charge) {
    Object& g = GroupAt(at.in, at.group);
    QueueAt(at).used -= charge;
    const int64_t from_headroom = std::min(g.headroom, charge);
    g.headroom -= from_headroom;
    g.used -= charge - from_headroom;
    Log(g, charge);
    Log(QueueAt(at), charge);
    if (!g.xoff || g.headroom > 0) return Signal::none;
    const int64_t xon = parameters_.rules.headroom_per_packet ? Reserved(g) : g.profile.xon.v;
    const int64_t offset = g.profile.xon_offset.v;
    const int64_t port_over = PortBeyond(g, groups_) - PortReserve(g, groups_);
    const BufferProfile* port = PortLimit(g, groups_);
    const bool below = Held(g, g.used - Reserved(g)) <= OwnLimit(g, groups_) - offset &&
                       (port == nullptr || port_over <= 0 || port_over <= Limit(*port, g, groups_) - offset);
    if (g.used > xon && !below) return Signal::none;
    g.xoff = false;
    return Signal::xon;
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
  int64_t used(uint32_t port, int p) const { return groups_[Index(port, p)].used; }
  int64_t headroom(uint32_t port, int p) const { return groups_[Index(port, p)].headroom; }
  bool xoff(uint32_t port, int p) const { return groups_[Index(port, p)].xoff; }
  int64_t queued(uint32_t port, int p) const {
    int64_t sum = 0;
    for (size_t i = Index(port, p); i < queues_.size(); i += ports_.size() * kPriorities)
      sum += queues_[i].used;
    return sum;
  }
  int64_t group_shared(uint32_t port, int p) const { return Beyond(groups_[Index(port, p)]); }
  int64_t pool_shared(const std::string& pool, bool egress, uint32_t slice) const {
    return Shared(pool, slice, egress ? queues_ : groups_);
  }
  uint32_t SliceOf(uint32_t port) const {
    return static_cast<uint32_t>(size_t{port} * Slices() / ports_.size());
  }

 private:
  static constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max() / 4;
  struct Object {
    bool in_use = false, lossless = false, xoff = false;
    bool egress = false, of_lossless = false;  ///< a queue, of a lossless class
    int number = 0;
    uint32_t port = 0, slice = 0;
    BufferProfile profile;
    int64_t used = 0, headroom = 0;
    // ABM's last measurement, and bytes on the wire since then.
    bool congested = false;
    double drain = 1;
    int64_t left = 0;
    /// Reverie: bytes beyond the reserve after each of its events, and whether a frame left.
    std::vector<std::pair<int64_t, bool>> history{{0, false}};
  };
  using PolicyType = BufferPolicyParameters::Type;

  void Log(Object& o, int64_t left) {
    if (left > 0) o.left += left + 20;
    o.history.push_back({Beyond(o), left > 0});
  }
  /// The policy replaces its dynamic limit: alpha 0 and no limit do not count.
  bool ByPolicy(const Object& o) const {
    const bool mellanox = parameters_.rules.alpha == AlphaMap::mellanox;
    return o.in_use && o.profile.Dynamic() &&
           !(mellanox && (o.profile.dynamic_th == 7 || o.profile.dynamic_th == -8));
  }
  /// A filtered length in 65536ths of a byte, computed from the beginning.
  int64_t Filtered(const Object& o) const {
    const auto step = static_cast<int64_t>(std::llround(std::ldexp(1 - parameters_.policy.gamma, 32)));
    int64_t filtered = 0;
    for (const auto& [bytes, left] : o.history) {
      const int64_t now = bytes * 65536;
      filtered = std::min(filtered, now);
      if (left)
        filtered += static_cast<int64_t>(static_cast<Uint128>(now - filtered) * step / (Uint128{1} << 32));
    }
    return filtered;
  }
  int64_t Held(const Object& o, int64_t over) const {
    if (parameters_.policy.type != PolicyType::reverie || !ByPolicy(o) || !Counts(o)) return over;
    return Filtered(o) / 65536 + over - Beyond(o);
  }
  /// Whether Reverie's pool counts it: a lossless group, or a lossy queue, of a dynamic pool.
  bool Counts(const Object& o) const {
    return o.in_use && (o.egress ? !o.of_lossless : o.lossless) &&
           PoolOf(o.profile).mode == BufferPool::Mode::dynamic;
  }
  int64_t ReverieLimit(const Object& o, const std::vector<Object>& side) const {
    if (!Counts(o)) return kNoLimit;
    int64_t size = 0, shared = 0, lengths = 0;
    for (const BufferPool& p : parameters_.pools)
      if (p.type != BufferPool::Type::egress && p.mode == BufferPool::Mode::dynamic && InUse(p, groups_))
        size += std::max<int64_t>(0, SharedSize(p, o.slice, groups_));
    for (const auto* objects : {&groups_, &queues_})
      for (const Object& other : *objects)
        if (Counts(other) && other.slice == o.slice) shared += Beyond(other);
    for (const Object& other : side)
      if (Counts(other) && other.slice == o.slice && other.number == o.number &&
          other.profile.pool == o.profile.pool)
        lengths += std::min(parameters_.policy.congested_at.v, Filtered(other) / 65536);
    const int64_t most = Times(Alpha(o.profile), std::max<int64_t>(0, size - shared));
    const int64_t one = parameters_.policy.congested_at.v;
    return static_cast<int64_t>(static_cast<Uint128>(most) * static_cast<uint64_t>(one) /
                                static_cast<uint64_t>(std::max(one, lengths)));
  }
  bool InUse(const BufferPool& pool, const std::vector<Object>& side) const {
    return std::ranges::any_of(side,
                               [&](const Object& o) { return o.in_use && o.profile.pool == pool.name; });
  }
  int64_t AbmLimit(const Object& o, const std::vector<Object>& side, bool first_window) const {
    int64_t congested = 0;
    for (const Object& other : side)
      congested += other.congested && other.slice == o.slice && other.number == o.number &&
                   other.profile.pool == o.profile.pool;
    const double alpha = first_window ? parameters_.policy.unscheduled_alpha : Alpha(o.profile);
    const int64_t most = Times(alpha, Free(o, side));
    return static_cast<int64_t>(std::floor(static_cast<double>(most) * o.drain)) /
           std::max<int64_t>(1, congested);
  }
  /// The bytes that a group or queue may have beyond its reserve.
  int64_t OwnLimit(const Object& o, const std::vector<Object>& side, bool first_window = false) const {
    if (!ByPolicy(o)) return Limit(o.profile, o, side);
    switch (parameters_.policy.type) {
      case PolicyType::dynamic:
        break;
      case PolicyType::fixed:
        return parameters_.policy.limit.v;
      case PolicyType::complete_sharing:
        return Beyond(o) + Free(o, side);
      case PolicyType::abm:
        return AbmLimit(o, side, first_window);
      case PolicyType::reverie:
        return ReverieLimit(o, side);
    }
    return Limit(o.profile, o, side);
  }
  static double Alpha(const BufferProfile& profile) {
    return profile.alpha.value_or(std::exp2(profile.dynamic_th.value_or(0)));
  }
  /// alpha as a multiple of 2^-32, with the result rounded down to bytes.
  static int64_t Times(double alpha, int64_t bytes) {
    const auto fixed = static_cast<uint64_t>(std::llround(std::ldexp(alpha, 32)));
    return static_cast<int64_t>(static_cast<Uint128>(static_cast<uint64_t>(bytes)) * fixed /
                                (Uint128{1} << 32));
  }
  int64_t Free(const Object& o, const std::vector<Object>& side) const {
    const BufferPool& pool = PoolOf(o.profile);
    return std::max<int64_t>(0, SharedSize(pool, o.slice, side) - Shared(pool.name, o.slice, side));
  }

  Object Make(uint32_t port, uint32_t slice, bool in_use, const std::string& profile) const {
    Object o;
    o.in_use = in_use;
    o.port = port;
    o.slice = slice;
    if (in_use) o.profile = *FindProfile(parameters_, profile);
    return o;
  }
  uint32_t Slices() const { return static_cast<uint32_t>(parameters_.slices); }
  static size_t Index(uint32_t port, int p) { return port * kPriorities + static_cast<uint32_t>(p); }
  Object& GroupAt(uint32_t port, int p) { return groups_[Index(port, p)]; }
  Object& QueueAt(const Place& at) {
    return queues_[SliceOf(at.in) * ports_.size() * kPriorities + Index(at.out, at.queue)];
  }
  const BufferPool& PoolOf(const BufferProfile& profile) const {
    return *std::find_if(parameters_.pools.begin(), parameters_.pools.end(),
                         [&](const BufferPool& p) { return p.name == profile.pool; });
  }
  int64_t Reserved(const Object& o) const {
    const bool own = parameters_.rules.xoff_in_profile_size && o.lossless && PoolOf(o.profile).xoff.v == 0;
    return o.profile.size.v - (own ? o.profile.xoff->v : 0);
  }
  int64_t Beyond(const Object& o) const { return o.in_use ? std::max<int64_t>(0, o.used - Reserved(o)) : 0; }
  int64_t ResidentIn(uint32_t slice) const {
    int64_t sum = 0;
    for (const Object& q : queues_) sum += q.slice == slice ? q.used : 0;
    return sum;
  }
  int64_t HeadroomOf(const Object& like) const {
    int64_t sum = 0;
    for (const Object& g : groups_)
      sum += g.profile.pool == like.profile.pool && g.slice == like.slice ? g.headroom : 0;
    return sum;
  }

  /// The profile that limits an object's port in its pool, if there is one.
  const BufferProfile* PortLimit(const std::string& pool, uint32_t port,
                                 const std::vector<Object>& side) const {
    const PortProfiles* list = FindPortProfiles(
        &side == &groups_ ? parameters_.port_ingress : parameters_.port_egress, ports_[port].name);
    if (list == nullptr) return nullptr;
    for (const std::string& name : list->profiles) {
      const BufferProfile* profile = FindProfile(parameters_, name);
      if (profile->pool == pool) return profile;
    }
    return nullptr;
  }
  const BufferProfile* PortLimit(const Object& o, const std::vector<Object>& side) const {
    return PortLimit(o.profile.pool, o.port, side);
  }
  int64_t PortReserve(const Object& o, const std::vector<Object>& side) const {
    const BufferProfile* profile = PortLimit(o, side);
    return profile == nullptr ? 0 : profile->size.v;
  }
  /// The bytes beyond their reserves that the objects of one port and slice have in a pool.
  int64_t PortBeyond(const std::string& pool, uint32_t port, uint32_t slice,
                     const std::vector<Object>& side) const {
    int64_t sum = 0;
    for (const Object& o : side)
      sum += o.port == port && o.slice == slice && o.in_use && o.profile.pool == pool ? Beyond(o) : 0;
    return sum;
  }
  int64_t PortBeyond(const Object& o, const std::vector<Object>& side) const {
    return PortBeyond(o.profile.pool, o.port, o.slice, side);
  }
  int64_t Shared(const std::string& pool, uint32_t slice, const std::vector<Object>& side) const {
    int64_t sum = 0;
    for (uint32_t port = 0; port < ports_.size(); ++port) {
      const BufferProfile* profile = PortLimit(pool, port, side);
      sum += std::max<int64_t>(
          0, PortBeyond(pool, port, slice, side) - (profile == nullptr ? 0 : profile->size.v));
    }
    return sum;
  }
  /// The base of dynamic limits.
  int64_t SharedSize(const BufferPool& pool, uint32_t slice, const std::vector<Object>& side) const {
    const BufferRules& rules = parameters_.rules;
    int64_t size = (pool.size.v - (rules.xoff_in_pool_size ? pool.xoff.v : 0)) / Slices();
    const bool ingress = &side == &groups_;
    if (!(ingress ? rules.reserved_off_ingress : rules.reserved_off_egress)) return size;
    for (const Object& o : side) {
      if (!o.in_use || o.slice != slice || o.profile.pool != pool.name) continue;
      size -= o.profile.size.v;
      if (rules.headroom_from_link && o.lossless) size -= o.profile.xoff->v;
    }
    for (uint32_t port = 0; port < ports_.size(); ++port) {
      if (ingress && SliceOf(port) != slice) continue;
      const BufferProfile* profile = PortLimit(pool.name, port, side);
      if (profile != nullptr) size -= profile->size.v;
    }
    return size;
  }
  /// The present limit of an object or port beyond its reserve, in the pool and slice of `o`.
  int64_t Limit(const BufferProfile& profile, const Object& o, const std::vector<Object>& side) const {
    const BufferRules& rules = parameters_.rules;
    if (profile.alpha) return Times(*profile.alpha, Free(o, side));
    if (!profile.dynamic_th) {
      const int64_t fixed = profile.static_th.value_or(Bytes{}).v;
      return fixed == 0 && rules.zero_is_unlimited ? kNoLimit : fixed;
    }
    const int th = *profile.dynamic_th;
    if (rules.alpha == AlphaMap::mellanox && th == 7) return kNoLimit;
    if (rules.alpha == AlphaMap::mellanox && th == -8) return 0;
    const BufferPool& pool = PoolOf(profile);
    const int64_t free =
        std::max<int64_t>(0, SharedSize(pool, o.slice, side) - Shared(pool.name, o.slice, side));
    return th >= 0 ? free * (int64_t{1} << th) : free / (int64_t{1} << -th);
  }
  bool Fits(const Object& o, const std::vector<Object>& side, int64_t charge, bool first_window) const {
    const int64_t over = o.used + charge - Reserved(o);
    if (over <= 0) return true;
    if (Held(o, over) > OwnLimit(o, side, first_window)) return false;
    const int64_t add = std::min(over, charge);
    const int64_t before = PortBeyond(o, side), reserve = PortReserve(o, side);
    const BufferProfile* port = PortLimit(o, side);
    if (port != nullptr && before + add > reserve && before + add - reserve > Limit(*port, o, side))
      return false;
    const int64_t from_pool =
        std::max<int64_t>(0, before + add - reserve) - std::max<int64_t>(0, before - reserve);
    const BufferPool& pool = PoolOf(o.profile);
    int64_t cap = SharedSize(pool, o.slice, side);
    if (&side == &queues_ && pool.type == BufferPool::Type::both) cap += pool.xoff.v / Slices();
    return from_pool == 0 || Shared(pool.name, o.slice, side) + from_pool <= cap;
  }

  BufferParameters parameters_;
  std::vector<BufferPort> ports_;
  std::vector<Object> groups_, queues_;
  Time measured_;
};

}  // namespace headroom

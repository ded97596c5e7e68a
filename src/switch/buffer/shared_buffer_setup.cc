// Converts pools, profiles and assignments to the counters of SharedBuffer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "sim/shared_value.h"
#include "switch/buffer/profiles.h"
#include "switch/buffer/shared_buffer.h"

namespace headroom {

namespace {

/// The classes' requirements on one group or queue of one port.
struct Use {
  bool used = false, lossless = false;
  std::string lossless_class;
  void Add(const TrafficClass& c) {
    used = true;
    if (!c.lossless) return;
    lossless = true;
    lossless_class = c.name;
  }
};
using Uses = std::array<Use, kPriorities>;

/// Free bytes times the factor of alpha must fit into 63 bits: 500 GB times a factor of less than 24 bits.
constexpr int kFactorBits = 24;
constexpr int kMostShift = 62;

const BufferProfile& ProfileNamed(const BufferParameters& b, const std::string& name,
                                  const std::string& whose) {
  const BufferProfile* profile = FindProfile(b, name);
  if (profile == nullptr) {
    throw std::invalid_argument(
        name.empty() ? fmt::format("no buffer profile for {}", whose)
                     : fmt::format("{} has buffer profile {}, which does not exist", whose, name));
  }
  if (profile->trims) {
    throw std::invalid_argument(fmt::format(
        "{} has buffer profile {} with packet_discard_action trim: trimming is not supported, only drop",
        whose, name));
  }
  return *profile;
}

template <class T>
uint16_t Interned(std::vector<T>& table, const T& value) {
  const auto index = std::find(table.begin(), table.end(), value) - table.begin();
  if (index > UINT16_MAX) throw std::invalid_argument("there are more than 65,536 different buffer limits");
  if (index == std::ssize(table)) table.push_back(value);
  return static_cast<uint16_t>(index);
}

}  // namespace

/// Reads the parameters port by port: ports that the scenario connects get counters, all get their reserves.
class SharedBuffer::Builder {
 public:
  Builder(SharedBuffer& buffer, const BufferParameters& parameters, const std::vector<BufferPort>& ports)
      : buffer_(buffer), parameters_(parameters), ports_(ports) {
    fixed_.profiles.emplace_back();
    fixed_.queue_profile.resize(buffer.queues_.size());
    objects_.resize(buffer.groups_.size() + buffer.queues_.size());
  }

  void Build(const TrafficClasses& classes, const std::vector<PortQos>& qos) {
    required_ = qos.empty();
    FindUses(classes, qos);
    PlacePorts();
    for (size_t i = 0; i < chip_.size(); ++i) {
      const int64_t connected = connected_[i];
      const auto slice = static_cast<uint32_t>(i * buffer_.slices_ / chip_.size());
      if (connected >= 0) buffer_.slice_of_[static_cast<size_t>(connected)] = static_cast<uint8_t>(slice);
      AddGroups(chip_[i], connected, slice);
      for (uint32_t s = 0; s < buffer_.slices_; ++s) AddQueues(chip_[i], connected, s);
    }
    // Groups that share one headroom pool cannot use more than its size.
    for (const auto& [side, sum] : headroom_) {
      const int64_t shared = buffer_.pools_[SliceOf(side, 0)].headroom_size * buffer_.slices_;
      buffer_.headroom_configured_ += shared > 0 ? std::min(sum, shared) : sum;
    }
    // The size of pools is known once all reserves have been subtracted.
    for (Profile& profile : fixed_.profiles) NotePool(profile.limit);
    for (PortUse& use : buffer_.port_uses_) NotePool(use.limit);
    buffer_.fixed_ = Interned(std::move(fixed_));
    buffer_.policy_type_ = parameters_.policy.type;
    buffer_.policy_ = MakeBufferPolicy(parameters_.policy);
    if (buffer_.policy_) buffer_.policy_->Setup(std::move(objects_), PolicyPools());
  }

 private:
  void FindUses(const TrafficClasses& classes, const std::vector<PortQos>& qos) {
    groups_.resize(ports_.size());
    queues_.resize(ports_.size());
    for (int p = 0; p < kPriorities; ++p) {
      const TrafficClass& c = classes[p];
      if (c.name.empty()) continue;
      unsigned tcs = 0;
      for (size_t i = 0; i < ports_.size(); ++i) {
        groups_[i][qos.empty() ? p : headroom::GroupOf(qos[i], c)].Add(c);
        tcs |= qos.empty() ? 1u << p : 1u << TcOf(qos[i], c);
      }
      for (size_t i = 0; i < ports_.size(); ++i) {
        for (int tc = 0; tc < kPriorities; ++tc) {
          if ((tcs >> tc) & 1) queues_[i][qos.empty() ? tc : qos[i].tc_to_queue[tc]].Add(c);
        }
      }
    }
  }

  void PlacePorts() {
    std::map<std::string, int64_t> index;
    for (size_t i = 0; i < ports_.size(); ++i) index[ports_[i].name] = static_cast<int64_t>(i);
    if (parameters_.chip_ports.empty()) {
      for (const BufferPort& p : ports_) chip_.push_back({p.name, p.rate, p.delay});
    } else {
      chip_ = parameters_.chip_ports;
    }
    size_t found = 0;
    for (ChipPort& p : chip_) {
      const auto at = index.find(p.name);
      connected_.push_back(at == index.end() ? -1 : at->second);
      if (at == index.end()) continue;
      ++found;
      p.speed = ports_[static_cast<size_t>(at->second)].rate;
      p.delay = ports_[static_cast<size_t>(at->second)].delay;
      index.erase(at);
    }
    if (found < ports_.size()) {
      throw std::invalid_argument(fmt::format("the switch has no port {}", index.begin()->first));
    }
    buffer_.slice_of_.assign(ports_.size(), 0);
  }

  /// Index of a pool's side in sides_. A pool for both directions counts each separately, because otherwise a
  /// frame would count twice.
  size_t Side(const std::string& name, bool egress) {
    const PoolSide side{name, egress};
    const auto known = std::find(buffer_.sides_.begin(), buffer_.sides_.end(), side);
    if (known != buffer_.sides_.end()) return static_cast<size_t>(known - buffer_.sides_.begin());
    const auto p = std::find_if(parameters_.pools.begin(), parameters_.pools.end(),
                                [&](const BufferPool& pool) { return pool.name == name; });
    if (p == parameters_.pools.end())
      throw std::invalid_argument(fmt::format("pool {} does not exist", name));
    if (p->type == (egress ? BufferPool::Type::ingress : BufferPool::Type::egress)) {
      throw std::invalid_argument(fmt::format("pool {} serves the other direction", name));
    }
    const bool inside = parameters_.rules.xoff_in_pool_size;
    Pool pool;
    pool.shared_size = (p->size.v - (inside ? p->xoff.v : 0)) / buffer_.slices_;
    pool.cap = pool.shared_size;
    if (egress) {
      // A queue's frames may use headroom at ingress.
      if (p->type == BufferPool::Type::both) pool.cap += p->xoff.v / buffer_.slices_;
    } else {
      pool.headroom_size = p->xoff.v / buffer_.slices_;
    }
    buffer_.sides_.push_back(side);
    buffer_.pools_.insert(buffer_.pools_.end(), buffer_.slices_, pool);
    return buffer_.sides_.size() - 1;
  }
  size_t SliceOf(size_t side, uint32_t slice) const { return 1 + side * buffer_.slices_ + slice; }

  /// The limit of a whole port, or the limit that follows from the profile's numbers alone.
  Limit MakeLimit(const BufferProfile& profile, bool egress, uint32_t slice) {
    Limit limit;
    limit.pool = static_cast<uint16_t>(SliceOf(Side(profile.pool, egress), slice));
    limit.reserved = profile.size.v;
    const BufferRules& rules = parameters_.rules;
    const std::optional<double> alpha = profile.Alpha();
    if (!alpha) {
      limit.value = profile.static_th.value_or(Bytes{}).v;
      if (limit.value == 0 && profile.static_th && rules.zero_is_unlimited) limit.value = kUnlimited;
    } else if (rules.alpha == AlphaMap::mellanox && profile.dynamic_th == 7) {
      limit.value = kUnlimited;
    } else if (rules.alpha == AlphaMap::power_of_two || profile.dynamic_th != -8) {
      limit.dynamic = true;
      SetAlpha(*alpha, limit);
    }
    return limit;
  }

  /// alpha is the product of a number below 2^24 and a power of two, so that a frame's multiplication fits
  /// into 64 bits. SONiC's values, which are powers of two, are exact; other numbers are exact to 6e-8.
  static void SetAlpha(double alpha, Limit& limit) {
    limit.shift = static_cast<uint8_t>(std::clamp(kFactorBits - 1 - std::ilogb(alpha), 0, kMostShift));
    limit.value = std::llround(std::ldexp(alpha, limit.shift));
    for (; limit.shift > 0 && limit.value % 2 == 0; --limit.shift) limit.value /= 2;
  }

  /// The limit of a group or queue. The policy decides its dynamic limit.
  Limit MakeObjectLimit(const BufferProfile& profile, bool egress, uint32_t slice) {
    Limit limit = MakeLimit(profile, egress, slice);
    if (!limit.dynamic) return limit;
    limit.by_policy = parameters_.policy.HasObject();
    if (parameters_.policy.type != BufferPolicyParameters::Type::fixed) return limit;
    limit.dynamic = false;
    limit.value = parameters_.policy.limit.v;
    return limit;
  }

  void NoteObject(size_t index, const Limit& limit, uint32_t port, int number, bool egress, bool lossless) {
    objects_[index] = {.decides = limit.by_policy,
                       .egress = egress,
                       .lossless = lossless,
                       .number = static_cast<uint8_t>(number),
                       .pool = limit.pool,
                       .alpha = limit.by_policy ? FixedAlpha(std::ldexp(limit.value, -limit.shift)) : 0,
                       .rate = ports_[port].rate};
  }

  std::vector<BufferPolicy::Pool> PolicyPools() const {
    std::vector<BufferPolicy::Pool> pools(1);
    for (const PoolSide& side : buffer_.sides_) {
      const auto& pool = *std::ranges::find(parameters_.pools, side.name, &BufferPool::name);
      for (uint32_t slice = 0; slice < buffer_.slices_; ++slice)
        pools.push_back({.egress = side.egress,
                         .dynamic = pool.mode == BufferPool::Mode::dynamic,
                         .slice = static_cast<uint8_t>(slice),
                         .size = std::max<int64_t>(0, buffer_.pools_[pools.size()].shared_size)});
    }
    return pools;
  }

  /// Subtracts exclusive bytes from the pool.
  void Reserve(const Limit& limit, bool egress, int64_t bytes) {
    const BufferRules& rules = parameters_.rules;
    Pool& pool = buffer_.pools_[limit.pool];
    pool.reserved += bytes;
    if (!(egress ? rules.reserved_off_egress : rules.reserved_off_ingress)) return;
    pool.shared_size -= bytes;
    pool.cap = std::max<int64_t>(0, pool.cap - bytes);
  }

  void NotePool(Limit& limit) const {
    limit.pool_size = buffer_.pools_[limit.pool].shared_size;
    limit.pool_cap = buffer_.pools_[limit.pool].cap;
  }

  /// The limits of whole ports, by pool: indices in port_uses_.
  std::map<uint16_t, uint16_t> AddPortUses(const ChipPort& port, bool connected, bool egress,
                                           uint32_t slice) {
    std::map<uint16_t, uint16_t> uses;
    const auto& lists = egress ? parameters_.port_egress : parameters_.port_ingress;
    const PortProfiles* list = FindPortProfiles(lists, port.name);
    if (list == nullptr) return uses;
    for (const std::string& name : list->profiles) {
      const std::string who = fmt::format("port {}, {}", port.name, egress ? "egress" : "ingress");
      const BufferProfile& profile = ProfileNamed(parameters_, name, who);
      PortUse use;
      use.limit = MakeLimit(profile, egress, slice);
      if (uses.contains(use.limit.pool)) {
        throw std::invalid_argument(
            fmt::format("{}: one list has two profiles of pool {}", who, profile.pool));
      }
      Reserve(use.limit, egress, use.limit.reserved);
      // A port without reserve and limit is left out, because checks of it would only cost time.
      const bool idle = use.limit.reserved == 0 && !use.limit.dynamic &&
                        use.limit.value >= buffer_.pools_[use.limit.pool].shared_size;
      uses[use.limit.pool] = 0;
      if (!connected || idle) continue;
      uses[use.limit.pool] = static_cast<uint16_t>(buffer_.port_uses_.size());
      buffer_.port_uses_.push_back(use);
    }
    return uses;
  }

  void AddGroups(const ChipPort& port, int64_t connected, uint32_t slice) {
    auto port_uses = AddPortUses(port, connected >= 0, false, slice);
    for (int n = 0; n < kPriorities; ++n) {
      const Use use = connected >= 0 ? groups_[static_cast<size_t>(connected)][n] : Use{};
      const std::string assigned = AssignedProfile(parameters_.groups, port.name, n);
      if (!use.used && assigned.empty()) continue;
      const std::string name =
          assigned.empty() ? GroupProfileName(parameters_, port.name, n, use.lossless) : assigned;
      const std::string who = fmt::format("port {}, priority {}", port.name, n);
      Profile g = MakeGroup(ProfileAtPort(parameters_, ProfileNamed(parameters_, name, who + ", ingress"),
                                          port.speed, port.delay),
                            who, slice);
      const bool lossless = g.xoff > 0;
      if (required_ && use.lossless && !lossless) {
        throw std::invalid_argument(
            fmt::format("{}: class {} is lossless but its group has no headroom (xoff) for this link", who,
                        use.lossless_class));
      }
      if (connected < 0) continue;
      if (lossless) headroom_[(g.limit.pool - 1u) / buffer_.slices_] += g.xoff;
      Group& group = buffer_.GroupOf(static_cast<uint32_t>(connected), n);
      g.limit.port = port_uses[g.limit.pool];
      group.lossless = lossless;
      group.profile = Interned(fixed_.profiles, g);
      NoteObject(buffer_.ObjectOf(group), g.limit, static_cast<uint32_t>(connected), n, false, lossless);
    }
  }

  Profile MakeGroup(const BufferProfile& profile, const std::string& who, uint32_t slice) {
    const BufferRules& rules = parameters_.rules;
    Profile g;
    g.limit = MakeObjectLimit(profile, false, slice);
    g.xon = profile.xon.v;
    g.xon_offset = profile.xon_offset.v;
    g.xoff = profile.xoff.value_or(Bytes{}).v;
    const bool lossless = g.xoff > 0;
    int64_t off_pool = g.limit.reserved;
    if (rules.headroom_from_link) off_pool += g.xoff;
    if (lossless && rules.xoff_in_profile_size && buffer_.pools_[g.limit.pool].headroom_size == 0) {
      g.limit.reserved -= g.xoff;
      if (g.limit.reserved < 0) {
        throw std::invalid_argument(fmt::format(
            "{}: profile {} has size {} but xoff {}; size includes xoff, so it must be at least xoff", who,
            profile.name, profile.size.v, g.xoff));
      }
    }
    // HPCC: no bytes below the reserve count as shared, so that a nearly empty group always resumes.
    if (rules.headroom_per_packet) g.xon = g.limit.reserved;
    Reserve(g.limit, false, off_pool);
    return g;
  }

  void AddQueues(const ChipPort& port, int64_t connected, uint32_t slice) {
    auto port_uses = AddPortUses(port, connected >= 0, true, slice);
    for (int n = 0; n < kPriorities; ++n) {
      const Use use = connected >= 0 ? queues_[static_cast<size_t>(connected)][n] : Use{};
      const std::string assigned = AssignedProfile(parameters_.queues, port.name, n);
      if (!use.used && assigned.empty()) continue;
      const std::string name =
          assigned.empty() ? QueueProfileName(parameters_, port.name, n, use.lossless) : assigned;
      const std::string who = fmt::format("port {}, priority {}, egress", port.name, n);
      Limit limit = MakeObjectLimit(ProfileNamed(parameters_, name, who), true, slice);
      Reserve(limit, true, limit.reserved);
      if (connected < 0) continue;
      limit.port = port_uses[limit.pool];
      const auto index = static_cast<uint32_t>(connected);
      const size_t place = slice * kPriorities * size_t{buffer_.hot_.ports} + buffer_.At(index, n);
      fixed_.queue_profile[place] = Interned(fixed_.profiles, Profile{.limit = limit});
      NoteObject(buffer_.ObjectOfQueue(place), limit, index, n, true, use.lossless);
    }
  }

  SharedBuffer& buffer_;
  const BufferParameters& parameters_;
  const std::vector<BufferPort>& ports_;
  bool required_ = true;  ///< lossless classes need headroom
  std::vector<Uses> groups_, queues_;
  std::vector<ChipPort> chip_;
  std::vector<int64_t> connected_;  ///< for each port in chip_: its index in ports_, or -1
  Fixed fixed_;
  std::vector<BufferPolicy::Object> objects_;
  std::map<size_t, int64_t> headroom_;  ///< Σ xoff of the connected ports' groups, indexed by side
};

/// The shared object that equals this one: most switches of a network are alike.
void SharedBuffer::Setup(const BufferParameters& parameters, const std::vector<BufferPort>& ports,
                         const TrafficClasses& classes, const std::vector<PortQos>& qos) {
  hot_.cell = static_cast<uint32_t>(parameters.cell.v);
  hot_.headroom_per_packet = parameters.rules.headroom_per_packet;
  hot_.ports = static_cast<uint32_t>(ports.size()) & 0xffffffu;
  size_ = hot_.room = hot_.least_room = parameters.size.v;
  slices_ = static_cast<uint32_t>(parameters.slices);
  groups_.assign(ports.size() * kPriorities, {});
  group_peaks_.clear();
  queues_.assign(groups_.size() * slices_, 0);
  queue_bytes_ = nullptr;
  pools_.assign(1, {});
  port_uses_.assign(1, {});
  hot_.groups = groups_.data();
  sides_.clear();
  slice_resident_.assign(slices_, 0);
  headroom_configured_ = 0;
  Builder(*this, parameters, ports).Build(classes, qos);
  hot_.unusual = slices_ > 1 || port_uses_.size() > 1 || policy_;
  hot_.fixed = fixed_.get();
  pool_uses_.assign(pools_.size(), {});
  hot_.pools = pool_uses_.data();
}

}  // namespace headroom

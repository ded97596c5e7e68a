// The shared buffer of a fixed switch: counters over one memory, after SAI's pools and profiles as SONiC
// configures them.
//
// A frame is charged at the same time to its ingress group (ingress port, group) and its egress queue (egress
// port, queue), and to the pool of each. Group: first reserved bytes, then the shared pool up to the limit,
// then, for a lossless group, headroom. A group that reaches its limit is XOFF; while it is, arriving frames
// use headroom. Bytes are released in reverse order: headroom, shared, reserved. All groups, or queues, of a
// port together may also have a reserve and a limit in a pool. Limits: alpha × free, or static; BufferRules
// defines free. If the limit of a profile is dynamic, a BufferPolicy may decide otherwise.
//
// A group or queue is lossless if its profile has xoff. Memory and pools may be divided into slices: a frame,
// its group and the frame's part of its queue belong to the slice of the ingress port.
//
// Identities, for every side and slice of every pool:
//
//   over its objects   Σ max(0, used − reserved), less the part in ports' reserves, = shared_used
//   over its groups    Σ headroom = headroom_used
//   in total           Σ over groups of used + headroom = Σ over queues of used = bytes resident
//
// Phase: Setup is called once, before the run. Admit and Release are called in events of the run, with one
// Release for each admitted frame. The other functions read counters or clear watermarks, at any time after
// Setup. Only Setup can fail; it throws.
//
// Sources: Bai et al., NSDI 2023, appendix A; SAI, saibuffer.h. Bytes are whole cells.
#pragma once

#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/port_counters.h"
#include "sim/event_queue.h"
#include "switch/buffer/buffer_parameters.h"
#include "switch/buffer/policy/buffer_policy.h"
#include "switch/buffer/qos_maps.h"
#include "switch/buffer/watermark_sets.h"

namespace headroom {

/// A port's properties for the buffer.
struct BufferPort {
  std::string name;
  Rate rate;
  Time delay;  ///< propagation, in one direction
};

class SharedBuffer final : public ns3::Object {
 public:
  enum class Signal : uint8_t { none, xoff, xon };
  struct Admission {
    bool admitted = true;
    Signal signal =
        Signal::none;  ///< may be xoff even if the frame that brought the group to its limit is dropped
    DropReason reason = DropReason::buffer_full;  ///< valid if the frame is not admitted
  };
  /// A frame's place in a switch: ingress and egress port, its group and its
  /// queue.
  struct Place {
    uint32_t in = 0, out = 0;
    uint8_t group = 0, queue = 0;
  };

  /// Whether a frame belongs to its sender's first window, if a policy needs to know.
  enum class FirstWindow : bool { no, yes };

  using Watermark = headroom::Watermark;
  enum class Measure : uint8_t {
    group_shared,    ///< bytes of a group, beyond its reserve
    group_headroom,  ///< headroom of a group
    pool_shared,     ///< bytes that the objects of a pool's side share; sum over slices
    pool_headroom    ///< headroom of an ingress pool; sum over slices
  };
  static constexpr int kMeasures = 4;
  struct PoolWatermark {
    std::string pool;
    bool egress = false;  ///< a pool of both directions has two sides
    int64_t shared = 0, headroom = 0;
  };

  static ns3::TypeId GetTypeId();

  /// Builds the counters. `qos`: the maps of the ports. If empty, the maps are those of the classes, and
  /// every lossless class must find a group with headroom. Throws std::invalid_argument if a lossless class
  /// finds none, if a profile or pool does not exist, if a group that classes use has no profile, or if a
  /// profile trims. REQUIRES: called once, before the run.
  void Setup(const BufferParameters& parameters, const std::vector<BufferPort>& ports,
             const TrafficClasses& classes, const std::vector<PortQos>& qos = {});

  /// The charge of a frame in whole cells.
  uint32_t Charge(uint32_t bytes) const { return (bytes + hot_.cell - 1) / hot_.cell * hot_.cell; }

  /// Prefetches the memory of a group that Admit touches. Inline, because otherwise GCC treats it as a call
  /// without effect and removes it.
  [[gnu::always_inline]] void Prefetch(uint32_t in, int group) const {
    __builtin_prefetch(&hot_.groups[At(in, group)]);
  }
  /// A frame of `charge` bytes arrives. If it is admitted, it is charged to its group, queue and pools.
  /// Otherwise `reason` gives the cause, and no byte is charged. If the signal is xoff, the caller pauses the
  /// sender of the group. REQUIRES: `charge` is a result of Charge.
  Admission Admit(const Place& at, uint32_t charge, FirstWindow first_window = FirstWindow::no);
  /// What was full when Admit, called just before, did not admit this frame.
  DropCause CauseOf(DropReason reason, const Place& at, uint32_t charge, FirstWindow first_window) const;
  /// An admitted frame left; place and charge are those of its admission. If the signal is xon, the caller
  /// resumes the sender of the group.
  Signal Release(const Place& at, uint32_t charge);

  /// From now on the buffer does not store the bytes of queues, which saves a cache line per frame: `bytes`
  /// returns those of (port, queue), and callers pass them to Admit and Release. REQUIRES: not unusual(), and
  /// the buffer is empty.
  void TakeQueuesFrom(std::function<int64_t(uint32_t, int)> bytes);
  /// The same after TakeQueuesFrom: `in_queue` is the number of bytes in the frame's queue, without the
  /// frame.
  Admission Admit(const Place& at, uint32_t charge, int64_t in_queue);
  Signal Release(const Place& at, uint32_t charge, int64_t in_queue);
  /// Whether there are slices, limits of ports, or a policy that decides.
  bool unusual() const { return hot_.unusual; }
  /// For a buffer without a run's event queue: policies ask for the time.
  void SetClock(std::function<Time()> now) { now_ = std::move(now); }

  /// Whether a priority group is lossless, by port and number.
  bool lossless(uint32_t port, int group) const { return GroupOf(port, group).lossless; }
  bool xoff(uint32_t port, int group) const { return GroupOf(port, group).xoff; }
  /// Reserved and shared bytes; headroom; the maximum of both together, and of headroom, since the last
  /// ResetPeaks.
  int64_t group_used(uint32_t port, int group) const { return GroupOf(port, group).used; }
  int64_t group_headroom(uint32_t port, int group) const { return GroupOf(port, group).headroom; }
  int64_t peak_group(uint32_t port, int group) const;
  int64_t peak_headroom(uint32_t port, int group) const {
    return watermark(Watermark::run, Measure::group_headroom, port, group);
  }
  /// The maximum headroom of a lossless group, in bytes.
  int64_t headroom_cap(uint32_t port, int group) const { return ProfileOf(GroupOf(port, group)).xoff; }
  /// The shared bytes at which this group would now go XOFF, by its own limit.
  int64_t XoffThreshold(uint32_t port, int group) const;
  /// Bytes of a queue, over all slices; bytes reserved for it, in each slice.
  int64_t queue_used(uint32_t port, int queue) const;
  int64_t queue_reserved(uint32_t port, int queue) const { return QueueLimit(At(port, queue)).reserved; }
  /// The same threshold for group_used: including its reserved bytes.
  int64_t XoffAt(uint32_t port, int group) const {
    return ProfileOf(GroupOf(port, group)).limit.reserved + XoffThreshold(port, group);
  }

  int64_t resident() const { return size_ - hot_.room; }
  int64_t peak_resident() const { return std::max(peak_ingress_pool(), peak_with_headroom_); }
  int64_t peak_headroom_total() const { return peak_headroom_; }
  int64_t peak_ingress_pool() const { return size_ - hot_.least_room; }
  int64_t headroom_configured() const { return headroom_configured_; }
  /// 0 … 1: the largest share of its threshold that a lossless group has reached since the last ResetPeaks.
  double closest_to_xoff() const { return hot_.closest > 1 ? 1 : hot_.closest; }
  /// The limit of a group, or of a queue in one slice, after set-up, with all rules of the ASIC.
  struct Allowance {
    uint16_t pool = 0;  ///< side and slice of a pool: equal numbers mean the same bytes
    uint8_t slice = 0;
    int64_t reserved = 0;
    std::optional<double> alpha;  ///< factor of the free bytes of `shared`; none: `fixed` applies
    int64_t fixed = 0;  ///< static limit beyond the reserve; for a policy, the maximum of its limits
    /// The policy that decides the limit, instead of `alpha` and `fixed`.
    std::optional<BufferPolicyParameters::Type> policy{};
    int64_t of_port = INT64_MAX;  ///< static limit of all objects of the port together
    int64_t shared = 0;           ///< free is this minus the shared bytes in use
    int64_t cap = 0;              ///< maximum that all objects may share
    int64_t headroom = 0;         ///< xoff of a group; 0: not lossless
    int64_t pool_headroom = 0;    ///< shared by the pool's groups; 0: groups have their own
    bool operator==(const Allowance&) const = default;
  };
  Allowance group_allowance(uint32_t port, int group) const;
  std::vector<Allowance> queue_allowances(uint32_t port, int queue) const;  ///< indexed by slice
  /// A side of a pool, over all slices: the bytes reserved in it for groups (or queues) and ports, connected
  /// or not.
  struct PoolReserve {
    std::string pool;
    bool egress = false;
    int64_t reserved = 0;
    int64_t shared = 0;  ///< the remaining bytes, which are shared
  };
  std::vector<PoolReserve> pool_reserves() const;

  /// Clears the watermarks `run`, and all other values counted since the last reset.
  void ResetPeaks();

  /// A watermark of a group. REQUIRES: `measure` is one for groups. For queues, Switch has the watermarks,
  /// from its ports.
  int64_t watermark(Watermark set, Measure measure, uint32_t port, int group) const;
  std::vector<PoolWatermark> pool_watermarks(Watermark set) const;
  /// Restarts one measure of one set from the present values.
  void ClearWatermarks(Watermark set, Measure measure);

  /// True if all identities at the head of this file hold.
  bool Consistent() const;

 private:
  struct Limit {
    int64_t reserved = 0;
    int64_t value = 0;                    ///< static limit; if `dynamic`, the factor of alpha
    int64_t pool_size = 0, pool_cap = 0;  ///< like the pool's shared_size and cap
    uint8_t shift = 0;                    ///< if `dynamic`: alpha is value / 2^shift
    bool dynamic = false;
    bool by_policy = false;  ///< policy_ decides instead of alpha × free; `dynamic` is set
    uint16_t pool = 0;
    uint16_t port = 0;  ///< index in port_uses_; 0: the port has no limit and no reserve in this pool
    bool operator==(const Limit&) const = default;
  };
  /// The set-up of a group or a queue.
  struct alignas(64) Profile {
    Limit limit;
    int64_t xoff = 0, xon = 0, xon_offset = 0;  ///< for a group
    bool operator==(const Profile&) const = default;
  };
  static_assert(sizeof(Profile) == 64);
  /// Members that do not change. Buffers with equal set-up share one object, so that it stays in the cache.
  struct Fixed {
    std::vector<Profile> profiles;        ///< index 0 means not in use
    std::vector<uint16_t> queue_profile;  ///< indexed by queue, like the accounts of queues
    bool operator==(const Fixed&) const = default;
  };
  /// Two fit into a cache line.
  struct alignas(32) Group {
    int64_t used = 0, headroom = 0;
    int64_t peak = 0;      ///< peak of `used`
    uint16_t profile = 0;  ///< index in Fixed::profiles
    bool lossless = false;
    bool xoff = false;
  };
  static_assert(sizeof(Group) == 32);
  /// Peaks of a group. Only headroom changes them.
  struct GroupPeaks {
    int64_t headroom = 0, total = 0;
  };
  /// The bytes of a port's groups, or queues, in one side and slice of a pool, beyond their own reserves.
  struct PortUse {
    int64_t used = 0;
    Limit limit;
  };
  /// The bytes in use in one slice of one side (ingress or egress) of one pool; four fit into a cache line.
  struct PoolUse {
    int64_t shared = 0;  ///< never exceeds the cap
    int64_t peak_shared = 0;
  };
  /// The other members of a pool.
  struct Pool {
    int64_t shared_size = 0;  ///< base of dynamic limits
    int64_t cap = 0;
    int64_t headroom_size = 0;  ///< 0: groups have their own
    int64_t headroom_used = 0, peak_headroom = 0;
    int64_t reserved = 0;  ///< sum of the objects' reserves, whether or not shared_size excludes them
  };
  struct PoolSide {
    std::string name;
    bool egress = false;
    bool operator==(const PoolSide&) const = default;
  };
  /// A charge's bytes beyond its object's own reserve: those from the port's reserve, and those from the
  /// pool.
  struct Claim {
    int64_t port = 0, pool = 0;
  };
  class Builder;

  // Groups with the same number are adjacent for all ports, because few groups carry traffic.
  size_t At(uint32_t port, int n) const { return static_cast<uint32_t>(n) * hot_.ports + port; }
  size_t QueueAt(const Place& at) const {
    const size_t in_slice = At(at.out, at.queue);
    return hot_.unusual ? slice_of_[at.in] * kPriorities * size_t{hot_.ports} + in_slice : in_slice;
  }
  Group& GroupOf(uint32_t port, int n) { return hot_.groups[At(port, n)]; }
  const Group& GroupOf(uint32_t port, int n) const { return hot_.groups[At(port, n)]; }
  const Profile& ProfileOf(const Group& g) const { return hot_.fixed->profiles[g.profile]; }
  const Limit& QueueLimit(size_t at) const {
    return hot_.fixed->profiles[hot_.fixed->queue_profile[at]].limit;
  }
  [[gnu::always_inline]] int64_t FreeOf(const Limit& l) const {
    const int64_t shared = hot_.pools[l.pool].shared;
    return l.pool_size > shared ? l.pool_size - shared : 0;
  }
  [[gnu::always_inline]] int64_t LimitNow(const Limit& l) const {
    if (!l.dynamic) return l.value;
    return FreeOf(l) * l.value >> l.shift;
  }
  // Objects of a policy: first the groups, then the queues.
  uint32_t ObjectOf(const Group& g) const { return static_cast<uint32_t>(&g - groups_.data()); }
  uint32_t ObjectOfQueue(size_t at) const { return static_cast<uint32_t>(groups_.size() + at); }
  /// The limit of a group or queue that requests room, and the bytes compared with it.
  struct Question {
    uint32_t object = 0;
    FirstWindow first_window = FirstWindow::no;
  };
  template <bool kUnusual>
  [[gnu::always_inline]] int64_t LimitNow(const Limit& l, const Question& q) const {
    if (kUnusual && l.by_policy) return policy_->Limit(q.object, q.first_window == FirstWindow::yes);
    return LimitNow(l);
  }
  template <bool kUnusual>
  [[gnu::always_inline]] int64_t HeldBy(const Limit& l, const Question& q, int64_t over) const {
    return kUnusual && l.by_policy ? policy_->Measured(q.object, over) : over;
  }
  // kUnusual: there are slices, limits of ports, or a policy.
  template <bool kUnusual>
  Admission AdmitAs(const Place& at, uint32_t charge, int64_t in_queue, FirstWindow first_window);
  template <bool kUnusual>
  Signal ReleaseAs(const Place& at, uint32_t charge, int64_t in_queue);
  template <bool kUnusual>
  bool Claims(int64_t over, const Limit& limit, const Question& q, int64_t charge, Claim* claim) const;
  bool ClaimsOfPort(const PortUse& use, Claim* claim) const;
  template <bool kUnusual>
  void Take(const Limit& limit, const Claim& claim);
  template <bool kUnusual>
  void GiveBack(int64_t used, const Limit& limit, int64_t charge);
  bool AtLimit(const PortUse& use) const;
  template <bool kUnusual>
  bool MayResume(const Group& g) const;
  void TellPolicy(uint32_t object, const Limit& limit, int64_t used, int64_t released);
  template <bool kUnusual>
  Admission AdmitIngress(const Place& at, Group& g, int64_t charge, FirstWindow first_window);
  Admission ToHeadroom(const Place& at, Group& g, int64_t charge);
  DropCause BeyondLimit(DropCause cause, int64_t used, uint32_t charge, const Limit& limit,
                        const Question& q) const;
  void NoteHeadroom(const Place& at, const Group& g);
  void NoteClosest(int64_t shared, int64_t limit);
  void NotePeaks();
  void Tell(const Place& at, bool xoff);

  /// More than any memory.
  static constexpr int64_t kUnlimited = INT64_MAX / 2;
  Allowance AllowanceOf(const Limit& own) const;
  size_t Registers(Measure m) const;
  int64_t Register(Measure m, size_t i) const;
  void SetRegister(Measure m, size_t i, int64_t value);
  int64_t RegisterNow(Measure m, size_t i) const;
  int64_t Read(Watermark set, Measure m, size_t i) const {
    return watermarks_[static_cast<size_t>(m)].Read(set, i, Register(m, i));
  }

  /// The members that every frame touches, in one cache line.
  struct alignas(64) Hot {
    int64_t room = 0;        ///< free bytes
    int64_t headroom = 0;    ///< headroom bytes of all groups
    int64_t least_room = 0;  ///< minimum of the free bytes, with the headroom bytes at that time
    double closest = 0;
    Group* groups = nullptr;
    PoolUse* pools = nullptr;
    const Fixed* fixed = nullptr;
    uint32_t cell = 1;
    uint32_t ports : 24 = 0;
    bool unusual : 1 = false;  ///< there are slices, limits of ports, or a policy
    bool headroom_per_packet : 1 = false;
  };
  static_assert(sizeof(Hot) == 64);
  Hot hot_;
  uint32_t slices_ = 1;
  int64_t size_ = 0;
  int64_t peak_with_headroom_ = 0;  ///< peak of resident bytes while some are in headroom
  int64_t peak_headroom_ = 0, headroom_configured_ = 0;
  std::vector<Group> groups_;
  std::vector<int64_t>
      queues_;  ///< bytes in use, those of a slice adjacent; empty: queue_bytes_ returns them
  std::function<int64_t(uint32_t, int)> queue_bytes_;
  std::shared_ptr<const Fixed> fixed_;
  std::vector<PoolUse> pool_uses_;  ///< indexed like pools_
  std::vector<Pool> pools_;         ///< the slices of a side are adjacent, from index 1 on
  std::vector<PortUse> port_uses_;
  std::vector<uint8_t> slice_of_;        ///< indexed by port
  std::vector<int64_t> slice_resident_;  ///< used if there are several slices
  std::vector<GroupPeaks> group_peaks_;  ///< indexed like groups_; empty: no headroom was used
  std::vector<PoolSide> sides_;          ///< sides of pools_, in their order
  std::array<WatermarkSets, kMeasures> watermarks_;
  BufferPolicyParameters::Type policy_type_{};
  std::unique_ptr<BufferPolicy> policy_;  ///< null: limits are the profiles' numbers
  std::function<Time()> now_ = [] { return EventQueue::Get().now(); };
  ns3::TracedCallback<uint32_t, int, bool> xoff_trace_;  // rare events, not on a frame's path
};

}  // namespace headroom

// The shared buffer of a fixed switch: counters over one memory, after SAI's pools and profiles as SONiC sets
// them.
//
// A frame is charged at once to its ingress group (port, priority) and its egress queue (port, priority), and
// to the pool of each. Group: reserved bytes first, then the shared pool up to the limit, then, for a
// lossless group, headroom. A group that reaches its limit is XOFF; while it is, what arrives goes to
// headroom. Released in reverse: headroom, shared, reserved. Limits: 2^dynamic_th × free, or static; free =
// pool size − Σ reserved − Σ shared used.
//
// Identities, for every side of every pool: Σ over its objects of max(0, used − reserved) = shared_used; Σ
// over its groups of headroom = headroom_used; Σ over groups of used + headroom = Σ over queues of used =
// bytes resident.
//
// Sources: Bai et al., NSDI 2023, appendix A; SAI, saibuffer.h. Bytes are whole cells.
#pragma once

#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <cstdint>
#include <vector>

#include "net/port_counters.h"
#include "net/traffic_class.h"
#include "switch/buffer_parameters.h"

namespace headroom {

/// What the buffer needs to know of a port.
struct BufferPort {
  std::string name;
  Rate rate;
  Time delay;  ///< propagation, one way
};

class SharedBuffer final : public ns3::Object {
 public:
  enum class Signal : uint8_t { none, xoff, xon };
  struct Admission {
    bool admitted = true;
    Signal signal =
        Signal::none;  ///< xoff also where the frame that brought the group to its limit is dropped
    DropReason reason = DropReason::buffer_full;  ///< where not admitted
  };

  static ns3::TypeId GetTypeId();

  /// Builds the counters. Throws std::invalid_argument where a profile names no pool, a class has no profile,
  /// or a lossless group ends up without headroom.
  void Setup(const BufferParameters& parameters, const std::vector<BufferPort>& ports,
             const TrafficClasses& classes);

  /// Whole cells for a frame.
  uint32_t Charge(uint32_t bytes) const { return (bytes + cell_ - 1) / cell_ * cell_; }

  /// Fetches what Admit touches.
  void Prefetch(uint32_t in, uint32_t out, int priority) const {
    __builtin_prefetch(&groups_[At(in, priority)]);
    __builtin_prefetch(&queues_[At(out, priority)]);
  }
  /// A frame of `charge` bytes comes in by `in` and will leave by `out`.
  Admission Admit(uint32_t in, uint32_t out, int priority, uint32_t charge);
  /// It left. Signal xon: its group may resume.
  Signal Release(uint32_t in, uint32_t out, int priority, uint32_t charge);

  bool lossless(uint32_t port, int priority) const {
    return GroupProfileOf(GroupOf(port, priority)).lossless;
  }
  bool xoff(uint32_t port, int priority) const { return GroupOf(port, priority).xoff; }
  /// Bytes of a group: reserved and shared; headroom; since the last ResetPeaks the most of each.
  int64_t group_used(uint32_t port, int priority) const { return GroupOf(port, priority).used; }
  int64_t group_headroom(uint32_t port, int priority) const { return GroupOf(port, priority).headroom; }
  int64_t peak_group(uint32_t port, int priority) const { return GroupOf(port, priority).peak; }
  int64_t peak_headroom(uint32_t port, int priority) const { return GroupOf(port, priority).peak_headroom; }
  /// Most bytes of headroom a lossless group may use.
  int64_t headroom_cap(uint32_t port, int priority) const {
    return GroupProfileOf(GroupOf(port, priority)).xoff;
  }
  /// Shared bytes at which this group would go XOFF now.
  int64_t XoffThreshold(uint32_t port, int priority) const;
  /// The same of group_used: with its reserved bytes.
  int64_t XoffAt(uint32_t port, int priority) const {
    return GroupProfileOf(GroupOf(port, priority)).limit.reserved + XoffThreshold(port, priority);
  }

  int64_t resident() const { return resident_; }
  int64_t peak_resident() const { return peak_resident_; }
  int64_t peak_headroom_total() const { return peak_headroom_; }
  int64_t peak_ingress_pool() const { return peak_ingress_; }
  int64_t headroom_configured() const { return headroom_configured_; }
  /// 0 … 1: the largest share of its threshold that a lossless group has reached since the last ResetPeaks.
  double closest_to_xoff() const { return closest_ > 1 ? 1 : closest_; }
  void ResetPeaks();

  /// Whether all identities of the head of this file hold.
  bool Consistent() const;

 private:
  struct Group {
    int64_t used = 0, headroom = 0;
    int64_t peak = 0, peak_headroom = 0;
    uint16_t profile = 0;
    bool xoff = false;
  };
  struct Queue {
    int64_t used = 0;
    uint16_t profile = 0;
  };
  struct Limit {
    int64_t reserved = 0;
    int64_t fixed = 0;  ///< static limit, where `dynamic` is not set
    int8_t shift = 0;
    bool dynamic = false;
    uint16_t pool = 0;
    bool operator==(const Limit&) const = default;
  };
  struct GroupProfile {
    Limit limit;
    int64_t xoff = 0, xon = 0, xon_offset = 0;
    bool lossless = false;
    bool operator==(const GroupProfile&) const = default;
  };
  /// One side (ingress or egress) of one pool.
  struct Pool {
    int64_t shared_size = 0;  ///< size − Σ reserved (− Σ xoff where headroom comes out of it)
    int64_t shared_used = 0;
    int64_t headroom_size = 0;  ///< 0: groups have their own
    int64_t headroom_used = 0;
  };

  // The ports of one priority lie side by side: few priorities carry traffic.
  size_t At(uint32_t port, int p) const { return static_cast<uint32_t>(p) * ports_ + port; }
  Group& GroupOf(uint32_t port, int p) { return groups_[At(port, p)]; }
  const Group& GroupOf(uint32_t port, int p) const { return groups_[At(port, p)]; }
  const GroupProfile& GroupProfileOf(const Group& g) const { return group_profiles_[g.profile]; }
  int64_t LimitNow(const Limit& l) const;
  Admission AdmitIngress(Group& g, const GroupProfile& profile, int64_t charge);
  Admission ToHeadroom(Group& g, const GroupProfile& profile, int64_t charge);
  void NotePeaks(Group& g);
  void NoteClosest(int64_t shared, int64_t limit);

  int64_t AddPool(const BufferParameters& parameters, const std::string& name, bool egress);

  uint32_t cell_ = 1;
  uint32_t ports_ = 0;
  BufferRules rules_;
  int64_t size_ = 0;
  int64_t resident_ = 0, peak_resident_ = 0;
  int64_t headroom_total_ = 0, peak_headroom_ = 0, headroom_configured_ = 0;
  int64_t ingress_used_ = 0, peak_ingress_ = 0;
  double closest_ = 0;
  std::vector<Group> groups_;
  std::vector<Queue> queues_;
  std::vector<GroupProfile> group_profiles_;
  std::vector<Limit> queue_profiles_;
  std::vector<Pool> pools_;
  std::vector<std::string> pool_keys_;
  ns3::TracedCallback<uint32_t, int, bool> xoff_trace_;  // rare: not on the path of a frame
};

}  // namespace headroom

// An event of Headroom: a plain 32-byte struct with an intrinsic order.
//
// The order is (time, class, entity, the entity's own count), never the order of insertion, so that a result
// does not depend on how a topology is cut. Time in picoseconds.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// The order of events at the same instant. A pause takes effect before an arrival at the same instant; a
/// port that becomes free sees every frame that has arrived by then; a sample sees the instant's final state.
enum class EventClass : uint8_t { ns3, fault, pfc, arrival, transmit_end, nic_timer, workload, sample };
inline constexpr int kEventClasses = 8;

/// An entity that events belong to, numbered densely by EventQueue::AddEntity.
using EntityId = uint32_t;

struct TimedEvent {
  Time time;
  uint64_t order = 0;  ///< class (4 bits), entity (24), the entity's count (36)
  void* target = nullptr;
  uint64_t arg = 0;

  static constexpr int kCountBits = 36;
  static constexpr int kEntityBits = 24;
  /// REQUIRES: entity < 2^24. `count` distinguishes two events of one class and entity at one instant; it may
  /// stay 0 if physics forbids two (a link delivers one frame at a time).
  static constexpr uint64_t Order(EventClass c, EntityId entity, uint64_t count = 0) {
    return (static_cast<uint64_t>(c) << (kCountBits + kEntityBits)) |
           (static_cast<uint64_t>(entity) << kCountBits) | (count & ((uint64_t{1} << kCountBits) - 1));
  }
  EventClass Class() const { return static_cast<EventClass>(order >> (kCountBits + kEntityBits)); }
  EntityId Entity() const { return EntityOf(order); }
  static constexpr EntityId EntityOf(uint64_t order) {
    return static_cast<EntityId>(order >> kCountBits) & ((EntityId{1} << kEntityBits) - 1);
  }
};

/// The position of an event in the order of execution.
struct TimedKey {
  uint64_t order;
  int64_t time;
  bool operator<(const TimedKey& o) const {
    // One 128-bit comparison compiles to no branch.
    const auto a = (static_cast<Uint128>(static_cast<uint64_t>(time)) << 64) | order;
    const auto b = (static_cast<Uint128>(static_cast<uint64_t>(o.time)) << 64) | o.order;
    return a < b;
  }
};
inline TimedKey KeyOf(const TimedEvent& e) { return {e.order, e.time.v}; }

/// Receiver of the rarer events; the classes of the hot path have a static handler instead.
class EventTarget {
 public:
  virtual void OnEvent(uint64_t arg) = 0;

 protected:
  ~EventTarget() = default;
};

}  // namespace headroom

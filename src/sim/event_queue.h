// The queue of a run: ns-3's events and Headroom's in one order. It is an ns3::Scheduler, so any
// ns3::SimulatorImpl can drive it. A network that is cut has further queues, one for each part (sim/parts.h).
//
// Phases: StartSimulator makes the queue. Set-up adds entities, handlers and lanes, and may schedule events;
// SealEntities ends it. In the run, events schedule further events. Scheduling cannot fail. Set-up calls that
// come too late throw std::logic_error if their comment says so.
//
// Structure, chosen by measurement (docs/performance.md): one FIFO ("lane") per constant delay, a wheel for
// other near events, a heap for the rest, a map for ns-3's own events. A winner tree covers the heads of all
// of these. As in a Huffman code, lanes with more events are nearer to the root.
#pragma once

#include <ns3/scheduler.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "sim/event.h"
#include "sim/event_heap.h"
#include "sim/event_lane.h"
#include "sim/event_wheel.h"

namespace headroom {

/// Handle of a lane; kNoLane means "no constant delay".
using LaneId = uint16_t;
inline constexpr LaneId kNoLane = 0;

class EventQueue final : public ns3::Scheduler {
 public:
  using Handler = void (*)(void* target, uint64_t arg);

  /// Maximum number of lanes: together with wheel, heap and ns-3's events, their numbers fit into a byte.
  static constexpr int kMaxLanes = 253;

  static ns3::TypeId GetTypeId();
  EventQueue();
  ~EventQueue() override;

  /// The queue of this process, or of the part that runs. REQUIRES: StartSimulator() was called
  /// (sim/simulator.h).
  static EventQueue& Get() { return *current_; }

  Time now() const { return now_; }
  /// Number of Headroom's events executed so far.
  uint64_t executed() const { return executed_; }

  /// Adds an entity for events. `context` is the ns-3 node id for its events. Throws std::logic_error after
  /// SealEntities, because numbers must follow from the scenario and not from the run; std::length_error
  /// beyond 2^24 entities.
  EntityId AddEntity(uint32_t context);
  /// Consecutive numbers for `count` entities, which may be made in any order. Returns the first number. Each
  /// entity gets its context when its node exists. Throws like AddEntity.
  EntityId AddEntities(size_t count);
  /// REQUIRES: called before the entity's first event.
  void SetContext(EntityId entity, uint32_t context) { entities_->contexts[entity] = context; }
  uint32_t ContextOf(EntityId entity) const { return entities_->contexts[entity]; }
  /// Set-up is over. Call once, after all generators and services have started.
  void SealEntities() { entities_->sealed = true; }
  /// All events of class `c` go to `handler` instead of EventTarget::OnEvent. `prefetch` is the offset, in a
  /// target, of the data that the handler touches first; the argument is also prefetched as an address,
  /// whatever it is. REQUIRES: called before the first event of the class.
  void SetHandler(EventClass c, Handler handler, uint32_t prefetch) {
    handlers_[static_cast<int>(c)] = handler;
    prefetch_[static_cast<int>(c)] = prefetch;
  }
  /// `prepare` may run shortly before an event of class `c`, once its target and argument are in the cache,
  /// and prefetches the handler's data. It must not change state. REQUIRES: as for SetHandler.
  void SetPrepare(EventClass c, Handler prepare) { prepare_[static_cast<int>(c)] = prepare; }

  /// The lane for events of class `c` at now + delay; kNoLane if there are too many lanes. May be called at
  /// any time.
  LaneId LaneFor(EventClass c, Time delay);
  /// The lane for events of class `c` and kind `number`, which arrive nearly in order of time but with
  /// different delays. An event out of order is treated like an event without a lane. May be called at any
  /// time. REQUIRES: number >= 0.
  LaneId StreamFor(EventClass c, int number) { return LaneFor(c, Time(-1 - number)); }
  /// Without lanes every event uses wheel or heap; for measurement. Call before the first LaneFor.
  void DisableLanes() { lanes_allowed_ = 0; }

  /// Schedules on a lane, or elsewhere if the lane refuses. May be called at any time. REQUIRES: e.time ==
  /// now() + the lane's delay, or the lane is a stream or kNoLane and e.time >= now().
  [[gnu::always_inline]] void Push(LaneId lane, const TimedEvent& e) {
    if (lane == kNoLane || !lanes_[lane].AppendLast(e)) PushElsewhere(lane, e);
  }
  /// Schedules a call of target->OnEvent(arg). May be called at any time. REQUIRES: time >= now(); the target
  /// outlives the event.
  void PushTarget(Time time, uint64_t order, EventTarget* target, uint64_t arg) {
    PushElsewhere(kNoLane, {time, order, target, arg});
  }

  /// Runs Headroom's events until the next one is ns-3's, no event is left, `stop` is set, or `limit` events
  /// have run. For the driver of the run (sim/simulator.h).
  void RunOwn(const bool& stop, uint64_t limit);

  /// Also false if the next event is behind the end that SetEnd has set.
  bool NextIsNs3() const {
    return Winner() == kNs3 && !ns3_events_.empty() && KeyOfNs3(ns3_events_.begin()->first) < end_;
  }
  /// Whether ns-3 regards its event with this key as past. REQUIRES: the event was scheduled on this queue.
  bool IsPast(uint64_t ts, uint32_t uid) const {
    const auto now = static_cast<uint64_t>(now_.v);
    return ts != now ? ts < now : last_ns3_time_ == now && uid <= last_ns3_uid_;
  }
  /// The key of the next event; kNothing if there is none.
  TimedKey Head() const { return tree_[1]->key; }

  // For the parts of a network (sim/parts.h).
  static constexpr TimedKey kNothing = EventLane<>::kNothing;
  static void Enter(EventQueue& queue) { current_ = &queue; }
  /// Takes over entities and handlers. REQUIRES: called before the first event.
  void BecomePartOf(const EventQueue& whole);
  /// No event at or after this key runs, neither Headroom's nor ns-3's. kNothing: there is no end.
  void SetEnd(TimedKey end);
  /// Sets the present time, and resets reached(). REQUIRES: no event is before `time`.
  void AdvanceTo(Time time) { now_ = time, order_ = 0, reached_ = {0, 0}; }
  /// The greatest key that ran since AdvanceTo. An event may cause others at its instant with smaller keys:
  /// these run next, and do not change the result. REQUIRES: the queue is a part's.
  TimedKey reached() const { return reached_; }
  /// Takes out all events of Headroom. REQUIRES: called before the run.
  std::vector<TimedEvent> TakeAll();
  /// The same for ns-3's events, in their order.
  std::vector<Scheduler::Event> TakeAllOfNs3();

  /// The ns-3 node id of the last event of Headroom.
  uint32_t context() const {
    const std::vector<uint32_t>& contexts = entities_->contexts;
    return contexts.empty() ? 0xffffffffu : contexts[TimedEvent::EntityOf(order_)];
  }

  void Insert(const Scheduler::Event& ev) override;
  bool IsEmpty() const override;
  Scheduler::Event PeekNext() const override;
  Scheduler::Event RemoveNext() override;
  void Remove(const Scheduler::Event& ev) override;

 private:
  class SharedEvent;
  struct Entities {
    std::vector<uint32_t> contexts;
    bool sealed = false;
  };
  static constexpr LaneId kHeap = kNoLane, kWheel = 1;  ///< the leaves of heap and wheel
  static constexpr LaneId kNs3 = 2;                     ///< the leaf of ns-3's events
  static constexpr LaneId kFirstLane = 3;
  static_assert(kFirstLane + kMaxLanes - 1 <= UINT8_MAX);
  static constexpr uint32_t kFar = 7, kNear = 3;  ///< distances behind a lane's head that are prefetched

  void PushElsewhere(LaneId lane, TimedEvent e);
  TimedEvent PopElsewhere(LaneId leaf);
  TimedEvent PopLane(EventLane<>& lane);
  const TimedEvent& HeadOf(LaneId lane) const;
  void FetchAhead(const EventLane<>& lane) const;
  void Refresh(EventLane<>& leaf, TimedKey key);
  void Refresh(LaneId leaf, TimedKey key) { Refresh(lanes_[leaf], key); }
  void Rise(LaneId leaf, TimedKey key);
  template <bool kOfPart>
  bool RunSome(const bool& stop, uint64_t limit);
  void ShapeTree();
  static EventLane<>* Earlier(EventLane<>* a, EventLane<>* b);
  LaneId Winner() const { return static_cast<LaneId>(tree_[1] - lanes_.data()); }
  Scheduler::Event ShownAs(const TimedEvent& e) const;
  static TimedKey KeyOfNs3(const Scheduler::EventKey& key) {
    return {TimedEvent::Order(EventClass::ns3, 0, key.m_uid), static_cast<int64_t>(key.m_ts)};
  }
  void RefreshNs3();

  static EventQueue* current_;

  Time now_;
  uint64_t executed_ = 0;
  std::vector<EventLane<>> lanes_;  ///< includes entries for heap, wheel and ns-3's events
  /// Winners: the root is at 1, and below n are 2n and 2n + 1, or the index of a lane.
  std::vector<EventLane<>*> tree_;
  uint64_t shape_next_ = 1024;  ///< number of executed events after which the tree is reshaped
  EventHeap heap_;
  EventWheel wheel_;
  std::array<Handler, kEventClasses> handlers_;
  std::array<uint32_t, kEventClasses> prefetch_{};
  std::array<Handler, kEventClasses> prepare_;

  std::map<Scheduler::EventKey, ns3::EventImpl*> ns3_events_;
  std::shared_ptr<Entities> entities_ = std::make_shared<Entities>();  ///< of all queues of the run
  uint64_t order_ = 0;  ///< order of the last event of Headroom
  TimedKey reached_{0, 0};
  bool of_part_ = false;
  TimedKey end_ = kNothing;
  TimedEvent handed_out_;
  SharedEvent* shared_event_;
  uint64_t last_ns3_time_ = 0;
  uint32_t last_ns3_uid_ = 0;
  int lanes_allowed_ = kMaxLanes;
};

}  // namespace headroom

// A program's thread on a core: it works on one thing after the other. This class holds what all kinds of
// threads share: their events, the work under way, and how long they have worked. A kind of thread derives
// from it and decides what is next: Process, Core, ServerProcess, clients of services of keys, posting loops.
//
// A thread works in one of two ways:
//
//   Begin   the work has its effect at its end: the thread's event calls Finished, then Next
//   Occupy  the work has had its effect, and the core is taken for so long. There is no event until the
//           thread asks for one with WakeWhenFree
//
// Events of a thread at one instant are ordered by its entity, then in the order in which it scheduled them.
#pragma once

#include <algorithm>

#include "protocol/core_time.h"
#include "sim/event_queue.h"

namespace headroom {

/// Streams of threads' events (EventQueue::StreamFor), by the threads' work.
enum ThreadStream : int { kServing, kAsking, kPosting };

class CoreThread : public EventTarget {
 public:
  CoreThread(const CoreThread&) = delete;
  CoreThread& operator=(const CoreThread&) = delete;

  /// How long its core has worked until now.
  CoreUse use() const { return core_.Use(EventQueue::Get().now()); }
  /// The same from the beginning on.
  Time worked() const { return core_.Worked(EventQueue::Get().now()); }
  void OnEvent(uint64_t arg) final;

 protected:
  enum class State : uint8_t {
    idle,     ///< nothing is scheduled
    waiting,  ///< until an event calls Next
    working   ///< until an event calls Finished and Next
  };

  /// Made before the run. `use` does not count work before `from`. `lane`: for the ends of its work.
  CoreThread(EntityId entity, Time from, LaneId lane = kNoLane)
      : own_(from), core_(own_), entity_(entity), lane_(lane) {}
  /// On the core of another thread, which outlives this.
  CoreThread(EntityId entity, CoreThread& beside) : core_(beside.core_), entity_(entity), lane_(kNoLane) {}
  ~CoreThread() = default;

  /// Takes up what is next, if there is something. The thread is idle.
  virtual void Next() = 0;
  /// The work that began is done. The thread is idle, and may begin more.
  virtual void Finished() {}

  State state() const { return state_; }
  const CoreTime& core() const { return core_; }
  /// Whether the core works at this instant, without its end.
  bool Taken() const { return core_.until() > EventQueue::Get().now(); }
  /// There may be something to do, and no event of the thread will find it.
  void Wake() {
    if (state_ == State::idle) Next();
  }

  /// REQUIRES: not working; the core is free.
  void Begin(Time cost, CoreWork work = CoreWork::operation) {
    core_.Begin(EventQueue::Get().now(), cost, work);
    state_ = State::working;
    Schedule(lane_, core_.until());
  }
  /// Work with an end that EndIn gives later.
  void BeginOpen() {
    core_.BeginOpen(EventQueue::Get().now());
    state_ = State::working;
  }
  void EndIn(Time cost) {
    core_.EndAt(EventQueue::Get().now() + cost);
    Schedule(lane_, core_.until());
  }
  /// From now on or, where the core is taken, behind that work, which must be of the same kind.
  void Occupy(Time cost, CoreWork work = CoreWork::operation) {
    Taken() ? core_.EndAt(core_.until() + cost) : core_.Begin(EventQueue::Get().now(), cost, work);
  }
  /// The core is free from now on. REQUIRES: Occupy, and the core is still taken.
  void Release() { core_.EndAt(EventQueue::Get().now()); }
  /// Next at this time, in place of an earlier call's. REQUIRES: not working.
  void WakeAt(Time at) {
    state_ = State::waiting;
    Schedule(kNoLane, at);
  }
  void WakeWhenFree() {
    state_ = State::waiting;
    Schedule(lane_, core_.until());
  }
  /// The place of another event of this entity among those at the same time.
  uint64_t NextOrder() { return TimedEvent::Order(EventClass::workload, entity_, ++events_); }

 private:
  void Schedule(LaneId lane, Time at) {
    const uint64_t order = NextOrder();
    due_ = events_;
    EventQueue::Get().Push(lane, {at, order, static_cast<EventTarget*>(this), due_});
  }

  CoreTime own_;  ///< unless it is on another thread's core
  CoreTime& core_;
  const EntityId entity_;
  const LaneId lane_;
  State state_ = State::idle;
  uint64_t events_ = 0;  ///< that were scheduled
  uint64_t due_ = 0;     ///< the one that counts
};

}  // namespace headroom

// A program's thread on a core: it works on one task after the other. This class contains the common parts of
// all threads: their events, the work in progress, and the time that they have worked. Kinds of threads
// derive from it and decide on the next task: Process, Core, ServerProcess, clients of services of keys,
// posting loops.
//
// A thread works in one of two ways:
//
//   Begin   the work has its effect at its end: the thread's event calls Finished, then Next
//   Occupy  the work has already had its effect, and the core is occupied for `cost`. There is no event until
//   the
//           thread asks for one with WakeWhenFree
//
// Events of a thread at the same instant are ordered by its entity, then in the order of scheduling.
#pragma once

#include <algorithm>

#include "protocol/core_time.h"
#include "sim/event_queue.h"

namespace headroom {

/// Streams of threads' events (EventQueue::StreamFor), by kind of thread.
enum ThreadStream : int { kServing, kAsking, kPosting };

class CoreThread : public EventTarget {
 public:
  CoreThread(const CoreThread&) = delete;
  CoreThread& operator=(const CoreThread&) = delete;

  /// The use of its core until now.
  CoreUse use() const { return core_.Use(EventQueue::Get().now()); }
  /// The busy time of the core since the beginning.
  Time worked() const { return core_.Worked(EventQueue::Get().now()); }
  void OnEvent(uint64_t arg) final;

 protected:
  enum class State : uint8_t {
    idle,     ///< no event is scheduled
    waiting,  ///< waits for an event that calls Next
    working   ///< waits for an event that calls Finished and Next
  };

  /// Threads are made before the run. `use` does not count work before `from`. `lane`: for the events at the
  /// ends of its work.
  CoreThread(EntityId entity, Time from, LaneId lane = kNoLane)
      : own_(from), core_(own_), entity_(entity), lane_(lane) {}
  /// Runs on the core of another thread, which must outlive this one.
  CoreThread(EntityId entity, CoreThread& beside) : core_(beside.core_), entity_(entity), lane_(kNoLane) {}
  ~CoreThread() = default;

  /// Begins the next task, if a task waits. Called while the thread is idle.
  virtual void Next() = 0;
  /// The work is finished. The thread is idle, and may begin more.
  virtual void Finished() {}

  State state() const { return state_; }
  const CoreTime& core() const { return core_; }
  /// Whether the core works at this instant, excluding the instant of its end.
  bool Taken() const { return core_.until() > EventQueue::Get().now(); }
  /// There may be a task that no event of the thread will find.
  void Wake() {
    if (state_ == State::idle) Next();
  }

  /// REQUIRES: the thread is not working; the core is free.
  void Begin(Time cost, CoreWork work = CoreWork::operation) {
    core_.Begin(EventQueue::Get().now(), cost, work);
    state_ = State::working;
    Schedule(lane_, core_.until());
  }
  /// Begins work whose end EndIn sets later.
  void BeginOpen() {
    core_.BeginOpen(EventQueue::Get().now());
    state_ = State::working;
  }
  void EndIn(Time cost) {
    core_.EndAt(EventQueue::Get().now() + cost);
    Schedule(lane_, core_.until());
  }
  /// Begins now or, if the core is occupied, behind that work, which must be of the same kind.
  void Occupy(Time cost, CoreWork work = CoreWork::operation) {
    Taken() ? core_.EndAt(core_.until() + cost) : core_.Begin(EventQueue::Get().now(), cost, work);
  }
  /// The core is free from now on. REQUIRES: Occupy was called, and the core is still occupied.
  void Release() { core_.EndAt(EventQueue::Get().now()); }
  /// Calls Next at this time, which replaces an earlier call's time. REQUIRES: the thread is not working.
  void WakeAt(Time at) {
    state_ = State::waiting;
    Schedule(kNoLane, at);
  }
  void WakeWhenFree() {
    state_ = State::waiting;
    Schedule(lane_, core_.until());
  }
  /// The order of another event of this entity among events at the same time.
  uint64_t NextOrder() { return TimedEvent::Order(EventClass::workload, entity_, ++events_); }

 private:
  void Schedule(LaneId lane, Time at) {
    const uint64_t order = NextOrder();
    due_ = events_;
    EventQueue::Get().Push(lane, {at, order, static_cast<EventTarget*>(this), due_});
  }

  CoreTime own_;  ///< null if it uses another thread's core
  CoreTime& core_;
  const EntityId entity_;
  const LaneId lane_;
  State state_ = State::idle;
  uint64_t events_ = 0;  ///< number of scheduled events
  uint64_t due_ = 0;     ///< number of the valid event
};

}  // namespace headroom

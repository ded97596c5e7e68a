// A thread on a core of its own: it does one thing after the other, some of them under a lock.
#pragma once

#include <algorithm>
#include <functional>

#include "sim/event_queue.h"
#include "sim/ring.h"

namespace headroom {

class Core;

/// A lock that threads spin on, in the order in which they came. Handing it over takes so long for each that
/// waits.
struct SpinLock {
  bool held = false;
  Ring<Core*> waiting;
  Time hand_over;
};

class Core final : public EventTarget {
 public:
  /// `context`: the host's ns-3 node. Of what is before `warmup` nothing counts.
  Core(uint32_t context, Time warmup) : entity_(EventQueue::Get().AddEntity(context)), warmup_(warmup) {}

  /// `done` when it has worked for `cost`, behind what there is, not begun before `ready`. With a lock it
  /// spins until it has it, and then works.
  void Do(Time cost, std::function<void()> done, Time ready = Time(0), SpinLock* lock = nullptr);
  bool idle() const { return state_ == State::idle && tasks_.Empty(); }
  bool used() const { return used_; }
  /// From the warm-up on, the waiting for locks included; and that alone.
  Time busy() const { return busy_ + UnderWay(warmup_); }
  Time spun() const { return spun_; }
  /// Busy from the beginning on.
  Time worked() const { return worked_ + UnderWay(Time(0)); }
  void OnEvent(uint64_t arg) override;

 private:
  enum class State : uint8_t { idle, sleeping, spinning, working };
  struct Task {
    Time cost, ready;
    std::function<void()> done;
    SpinLock* lock = nullptr;
  };
  void Next();
  void Work(Time cost);
  Time Counted(Time until) const { return std::max(until - std::max(begun_, warmup_), Time(0)); }
  Time UnderWay(Time since) const {
    const bool any = state_ == State::working || state_ == State::spinning;
    return any ? std::max(EventQueue::Get().now() - std::max(begun_, since), Time(0)) : Time(0);
  }

  EntityId entity_;
  Time warmup_;
  State state_ = State::idle;
  Ring<Task> tasks_;  ///< the first is under way
  Time begun_, busy_, spun_, worked_;
  bool used_ = false;
};

}  // namespace headroom

// A thread on a core of its own: it does one thing after the other, some of them under a lock.
#pragma once

#include <algorithm>
#include <functional>

#include "protocol/core_time.h"
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

/// Made before the run. No call fails.
class Core final : public EventTarget {
 public:
  /// `context`: the host's ns-3 node. Of what is before `warmup` nothing counts.
  Core(uint32_t context, Time warmup)
      : entity_(EventQueue::Get().AddEntity(context)), warmup_(warmup), time_(warmup) {}

  /// `done` when it has worked for `cost`, behind what there is, not begun before `ready`. With a lock it
  /// spins until it has it, and then works.
  void Do(Time cost, std::function<void()> done, Time ready = Time(0), SpinLock* lock = nullptr);
  bool idle() const { return state_ == State::idle && tasks_.Empty(); }
  bool used() const { return used_; }
  /// How long it has worked from the warm-up on, the waiting for locks included; and that alone.
  CoreUse use() const { return time_.Use(EventQueue::Get().now()); }
  Time spun() const { return spun_; }
  /// The same as `use` from the beginning on.
  Time worked() const { return time_.Worked(EventQueue::Get().now()); }
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

  EntityId entity_;
  const Time warmup_;
  State state_ = State::idle;
  Ring<Task> tasks_;  ///< the first is under way
  CoreTime time_;
  Time spun_;
  bool used_ = false;
};

}  // namespace headroom

// A thread on a core of its own: it does one thing after the other, some of them under a lock.
#pragma once

#include <functional>

#include "protocol/core_thread.h"
#include "sim/ring.h"

namespace headroom {

class Core;

/// A lock that threads spin on, in the order in which they came. Each waiting thread adds to the time that
/// handing it over takes.
struct SpinLock {
  bool held = false;
  Ring<Core*> waiting;
  Time hand_over;
};

/// Made before the run. No call fails.
class Core final : public CoreThread {
 public:
  /// `context`: the host's ns-3 node. Work before `warmup` does not count.
  Core(uint32_t context, Time warmup)
      : CoreThread(EventQueue::Get().AddEntity(context), warmup), spun_(warmup) {}

  /// `done` when it has worked for `cost`, behind what there is, not begun before `ready`. With a lock it
  /// spins until it has it, and then works.
  void Do(Time cost, std::function<void()> done, Time ready = Time(0), SpinLock* lock = nullptr);
  bool idle() const { return state() == State::idle && tasks_.Empty(); }
  bool used() const { return used_; }
  /// How long it has waited for locks from the warm-up on, which is a part of `use`.
  Time spun() const { return spun_.Use(EventQueue::Get().now()).busy(); }

 private:
  struct Task {
    Time cost, ready;
    std::function<void()> done;
    SpinLock* lock = nullptr;
  };
  void Next() override;
  void Finished() override;

  Ring<Task> tasks_;  ///< the first is under way
  CoreTime spun_;
  bool used_ = false;
};

}  // namespace headroom

// A thread on a core of its own: it does one task after the other, some under a lock.
#pragma once

#include <functional>

#include "protocol/core_thread.h"
#include "sim/ring.h"

namespace headroom {

class Core;

/// A lock on which threads spin, in order of arrival. Each waiting thread adds to the hand-over time.
struct SpinLock {
  bool held = false;
  Ring<Core*> waiting;
  Time hand_over;
};

/// Cores are made before the run. No call fails.
class Core final : public CoreThread {
 public:
  /// `context`: the host's ns-3 node. Work before `warmup` does not count.
  Core(uint32_t context, Time warmup)
      : CoreThread(EventQueue::Get().AddEntity(context), warmup), spun_(warmup) {}

  /// Calls `done` after the thread has worked for `cost`, behind earlier tasks and not before `ready`. With a
  /// lock, the thread spins until it has the lock, and then works.
  void Do(Time cost, std::function<void()> done, Time ready = Time(0), SpinLock* lock = nullptr);
  bool idle() const { return state() == State::idle && tasks_.Empty(); }
  bool used() const { return used_; }
  /// The time that it has waited for locks since the warm-up, which is a part of `use`.
  Time spun() const { return spun_.Use(EventQueue::Get().now()).busy(); }

 private:
  struct Task {
    Time cost, ready;
    std::function<void()> done;
    SpinLock* lock = nullptr;
  };
  void Next() override;
  void Finished() override;

  Ring<Task> tasks_;  ///< the first one is in progress
  CoreTime spun_;
  bool used_ = false;
};

}  // namespace headroom

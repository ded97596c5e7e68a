#include "protocol/connections/core.h"

#include <algorithm>
#include <utility>

namespace headroom {

void Core::Do(Time cost, std::function<void()> done, Time ready, SpinLock* lock) {
  used_ = true;
  tasks_.PushBack({cost, ready, std::move(done), lock});
  if (tasks_.Size() == 1) Wake();
}

void Core::Next() {
  if (tasks_.Empty()) return;
  const Task& task = tasks_.Front();
  if (task.ready > EventQueue::Get().now()) return WakeAt(task.ready);
  if (task.lock != nullptr && task.lock->held) {
    task.lock->waiting.PushBack(this);
    return BeginOpen();
  }
  if (task.lock != nullptr) task.lock->held = true;
  Begin(task.cost);
}

void Core::Finished() {
  Task task = std::move(tasks_.Front());
  tasks_.PopFront();
  if (SpinLock* const lock = task.lock) {
    lock->held = !lock->waiting.Empty();
    if (lock->held) {
      Core& next = *lock->waiting.Front();
      const auto waited = static_cast<int64_t>(lock->waiting.Size());
      lock->waiting.PopFront();
      const Time since = std::max(next.core().begun(), next.warmup_);
      next.spun_ += std::max(EventQueue::Get().now() - since, Time(0));
      next.EndIn(next.tasks_.Front().cost + lock->hand_over * waited);
    }
  }
  task.done();
}

}  // namespace headroom

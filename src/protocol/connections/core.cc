#include "protocol/connections/core.h"

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
    spun_.BeginOpen(EventQueue::Get().now());
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
      next.spun_.EndAt(EventQueue::Get().now());
      next.EndIn(next.tasks_.Front().cost + lock->hand_over * waited);
    }
  }
  task.done();
}

}  // namespace headroom

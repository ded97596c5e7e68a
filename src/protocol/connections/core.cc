#include "protocol/connections/core.h"

#include <utility>

namespace headroom {

void Core::Do(Time cost, std::function<void()> done, Time ready, SpinLock* lock) {
  used_ = true;
  tasks_.PushBack({cost, ready, std::move(done), lock});
  if (state_ == State::idle && tasks_.Size() == 1) Next();
}

void Core::Next() {
  if (tasks_.Empty()) return;
  const Time now = EventQueue::Get().now();
  const Task& task = tasks_.Front();
  if (task.ready > now) {
    state_ = State::sleeping;
    return EventQueue::Get().PushTarget(task.ready, TimedEvent::Order(EventClass::workload, entity_, 0), this,
                                        0);
  }
  time_.BeginOpen(now);
  if (task.lock == nullptr) return Work(task.cost);
  if (task.lock->held) {
    state_ = State::spinning;
    return task.lock->waiting.PushBack(this);
  }
  task.lock->held = true;
  Work(task.cost);
}

void Core::Work(Time cost) {
  state_ = State::working;
  time_.EndAt(EventQueue::Get().now() + cost);
  EventQueue::Get().PushTarget(time_.until(), TimedEvent::Order(EventClass::workload, entity_, 0), this, 0);
}

void Core::OnEvent(uint64_t) {
  if (state_ == State::sleeping) {
    state_ = State::idle;
    return Next();
  }
  const Time now = EventQueue::Get().now();
  state_ = State::idle;
  Task task = std::move(tasks_.Front());
  tasks_.PopFront();
  if (SpinLock* const lock = task.lock) {
    lock->held = !lock->waiting.Empty();
    if (lock->held) {
      Core& next = *lock->waiting.Front();
      const auto waited = static_cast<int64_t>(lock->waiting.Size());
      lock->waiting.PopFront();
      next.spun_ += std::max(now - std::max(next.time_.begun(), next.warmup_), Time(0));
      next.Work(next.tasks_.Front().cost + lock->hand_over * waited);
    }
  }
  task.done();
  if (state_ == State::idle) Next();
}

}  // namespace headroom

// An event of a program on a host, after a delay.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "protocol/trail.h"
#include "sim/event_queue.h"

namespace headroom {

class DelayedCalls final : public EventTarget {
 public:
  /// `context`: the host's ns-3 node. `trail`: null, or an object that outlives this one.
  DelayedCalls(uint32_t context, Trail* trail)
      : entity_(EventQueue::Get().AddEntity(context)), trail_(trail) {}

  /// The delayed call is recorded as a wait since now, for an answer that did not arrive.
  void After(Time wait, std::function<void()> f) {
    EventQueue& events = EventQueue::Get();
    const uint64_t number = next_++;
    waiting_[number] = {std::move(f), trail_ == nullptr ? 0 : trail_->current()};
    events.PushTarget(events.now() + wait, TimedEvent::Order(EventClass::workload, entity_, number), this,
                      number);
  }
  void OnEvent(uint64_t number) override {
    const auto at = waiting_.find(number);
    const Waiting waiting = std::move(at->second);
    waiting_.erase(at);
    const Time now = EventQueue::Get().now();
    if (trail_ != nullptr) trail_->SetCurrent(trail_->Add(waiting.since, OperationPart::timeout, now, now));
    waiting.f();
    if (trail_ != nullptr) trail_->SetCurrent(0);
  }

 private:
  struct Waiting {
    std::function<void()> f;
    uint64_t since = 0;
  };
  EntityId entity_;
  Trail* trail_;
  std::map<uint64_t, Waiting> waiting_;
  uint64_t next_ = 0;
};

}  // namespace headroom

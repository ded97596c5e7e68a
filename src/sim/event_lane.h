// A FIFO of events that were all scheduled the same span ahead: sorted by construction.
//
// Time never runs back, so events at now + constant come in order of time. Within one instant they come in
// the order in which their causes ran, which need not be the intrinsic order: Append puts such an event
// where it belongs, a short walk from the tail.
#pragma once

#include <memory>

#include "sim/event.h"

namespace headroom {

class EventLane {
 public:
  EventLane(EventClass event_class, Time delay) : event_class_(event_class), delay_(delay) {}

  EventClass event_class() const { return event_class_; }
  Time delay() const { return delay_; }
  bool Empty() const { return head_ == tail_; }
  const TimedEvent& Head() const { return ring_[head_ & mask_]; }
  /// The event `n` places behind the head, for prefetching. Meaningful for n < Size().
  const TimedEvent& Behind(uint32_t n) const { return ring_[(head_ + n) & mask_]; }
  uint32_t Size() const { return tail_ - head_; }
  void Pop() { ++head_; }

  /// Returns whether the head changed.
  bool Append(const TimedEvent& e) {
    if (Size() == capacity_) Grow();
    uint32_t i = tail_++;
    while (i != head_ && KeyOf(e) < KeyOf(ring_[(i - 1) & mask_])) {
      ring_[i & mask_] = ring_[(i - 1) & mask_];
      --i;
    }
    ring_[i & mask_] = e;
    return i == head_;
  }

 private:
  void Grow() {
    const uint32_t capacity = capacity_ ? capacity_ * 2 : 64;
    auto ring = std::make_unique<TimedEvent[]>(capacity);
    const uint32_t n = Size();
    for (uint32_t i = 0; i < n; ++i) ring[i] = Behind(i);
    ring_ = std::move(ring);
    capacity_ = capacity;
    mask_ = capacity - 1;
    head_ = 0;
    tail_ = n;
  }

  std::unique_ptr<TimedEvent[]> ring_;
  uint32_t mask_ = 0, capacity_ = 0;
  uint32_t head_ = 0, tail_ = 0;
  EventClass event_class_;
  Time delay_;
};

}  // namespace headroom

// A FIFO of events that were all scheduled with the same delay: sorted by construction. Or a FIFO of events
// of one kind that arrive nearly in order.
//
// Time never runs backwards, so events at now + constant arrive in order of time. At the same instant they
// arrive in the order of their causes, which may differ from the intrinsic order. Append puts such an event
// into its place, a few steps from the tail. If many steps would be needed, as among many equal links in
// step, the lane refuses the event. The event is then treated like an event without a lane.
#pragma once

#include <memory>

#include "sim/event.h"

namespace headroom {

/// `Event` is TimedEvent, except in tests that count. Each event touches only one cache line of the lane.
template <class Event = TimedEvent>
class alignas(64) EventLane {
 public:
  /// The result of an append: the event is in the lane, it is the lane's head, or it is not in the lane.
  enum class Place : uint8_t { behind, head, refused };
  static constexpr uint32_t kLongestWalk = 8;  ///< costs about as much as a place in the wheel

  EventLane(EventClass event_class, Time delay) : delay_(delay), event_class_(event_class) {}

  EventClass event_class() const { return event_class_; }
  Time delay() const { return delay_; }
  bool Empty() const { return head_ == tail_; }
  const Event& Head() const { return ring_[head_ & mask_]; }
  /// The event `n` places behind the head, for prefetching. Valid for n < Size().
  const Event& Behind(uint32_t n) const { return ring_[(head_ + n) & mask_]; }
  uint32_t Size() const { return tail_ - head_; }
  void Pop() { ++head_; }
  /// An event that did not use the lane counts as one of its events.
  void Pass() { ++head_, ++tail_; }
  /// The number of events taken out, modulo 2^32.
  uint32_t taken() const { return head_; }

  // For code that merges lanes: the lane does not read these members.
  static constexpr TimedKey kNothing{UINT64_MAX, INT64_MAX};
  TimedKey key = kNothing;  ///< key of the head
  uint16_t place = 0;       ///< place in the tree of winners

  /// Appends if the lane has room, and has events of which none is later than this one: the common case.
  /// Returns false otherwise.
  [[gnu::always_inline]] bool AppendLast(const Event& e) {
    const uint32_t n = Size();
    if (n == 0 || n == capacity_ || KeyOf(e) < KeyOf(ring_[(tail_ - 1) & mask_])) return false;
    ring_[tail_++ & mask_] = e;
    return true;
  }
  Place Append(const Event& e) {
    const uint32_t n = Size();
    if (n == capacity_) Grow();
    if (n > 0 && KeyOf(e) < KeyOf(Behind(n - 1))) return Insert(e);
    ring_[tail_++ & mask_] = e;
    return n == 0 ? Place::head : Place::behind;
  }

 private:
  /// REQUIRES: e precedes the last event, and there is room.
  Place Insert(const Event& e) {
    const uint32_t n = Size();
    if (n > kLongestWalk && KeyOf(e) < KeyOf(Behind(n - 1 - kLongestWalk))) return Place::refused;
    uint32_t i = tail_++;
    do {
      ring_[i & mask_] = ring_[(i - 1) & mask_];
      --i;
    } while (i != head_ && KeyOf(e) < KeyOf(ring_[(i - 1) & mask_]));
    ring_[i & mask_] = e;
    return i == head_ ? Place::head : Place::behind;
  }
  void Grow() {
    const uint32_t capacity = capacity_ ? capacity_ * 2 : 64;
    auto ring = std::make_unique<Event[]>(capacity);
    for (uint32_t i = head_; i != tail_; ++i) ring[i & (capacity - 1)] = ring_[i & mask_];
    ring_ = std::move(ring);
    capacity_ = capacity;
    mask_ = capacity - 1;
  }

  std::unique_ptr<Event[]> ring_;
  uint32_t mask_ = 0, capacity_ = 0;
  uint32_t head_ = 0, tail_ = 0;
  Time delay_;
  EventClass event_class_;
};
static_assert(sizeof(EventLane<>) == 64);

}  // namespace headroom

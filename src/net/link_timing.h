// Serialization times and event lanes of one kind of link, by frame size. All ports of a rate and delay share
// one.
#pragma once

#include <vector>

#include "sim/event_queue.h"
#include "sim/units.h"

namespace headroom {

class LinkTiming {
 public:
  struct PerSize {
    Time serialization;
    LaneId arrival = kHeap;  ///< lane for the frame's arrival at the far end
    LaneId done = kHeap;     ///< lane for the end of its transmission
    bool known = false;
  };

  /// `delay`: from the last bit out to the last bit in; `gap`: preamble and inter-frame gap, in bytes.
  LinkTiming(Rate rate, Time delay, int64_t gap)
      : rate_(rate), delay_(delay), gap_(static_cast<uint32_t>(gap)) {}

  Rate rate() const { return rate_; }
  Time delay() const { return delay_; }
  uint32_t gap() const { return gap_; }

  /// REQUIRES: wire_bytes counts preamble and gap.
  const PerSize& For(uint32_t wire_bytes) {
    if (wire_bytes >= sizes_.size() || !sizes_[wire_bytes].known) Learn(wire_bytes);
    return sizes_[wire_bytes];
  }
  /// Gives a common frame size lanes of its own; other sizes go through the heap.
  void UseLanes(EventQueue& queue, uint32_t wire_bytes);

 private:
  void Learn(uint32_t wire_bytes);
  Rate rate_;
  Time delay_;
  uint32_t gap_;
  std::vector<PerSize> sizes_;
};

}  // namespace headroom

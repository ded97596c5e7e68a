// Serialization times and event lanes for one kind of link, by frame size. All ports with the same rate and
// delay share one object.
//
// Sizes that every network has get lanes at the start. Others, such as READ responses, last frames of equal
// messages and small verbs, get lanes if one of a few sizes makes up much of the traffic. Each further lane
// makes the tree over the lanes' heads slightly higher, for all events.
#pragma once

#include <vector>

#include "sim/event_queue.h"
#include "sim/units.h"

namespace headroom {

class LinkTiming {
 public:
  struct PerSize {
    Time serialization;
    LaneId arrival = kNoLane;  ///< lane for the frame's arrival at the far end
    LaneId done = kNoLane;     ///< lane for the end of its transmission
    bool known = false;
    uint8_t window = 0;  ///< `times` counts the frames of this window
    uint16_t times = 0;  ///< frames of this size sent without lanes
  };

  /// `delay`: from the last bit out to the last bit in; `gap`: preamble and inter-frame gap, in bytes.
  /// `whole_ns`: as in FrameFormat.
  LinkTiming(Rate rate, Time delay, int64_t gap, bool whole_ns = false)
      : rate_(rate), delay_(delay), gap_(static_cast<uint32_t>(gap)), whole_ns_(whole_ns) {}

  Rate rate() const { return rate_; }
  Time delay() const { return delay_; }
  uint32_t gap() const { return gap_; }

  /// REQUIRES: wire_bytes counts preamble and gap.
  const PerSize& For(uint32_t wire_bytes) {
    if (wire_bytes >= count_ || !sizes_[wire_bytes].known) Learn(wire_bytes);
    return sizes_[wire_bytes];
  }
  /// The serialization time of a frame whose transmission starts. Sizes that recur get lanes.
  const PerSize& ForSending(uint32_t wire_bytes) {
    if (wire_bytes >= count_ || sizes_[wire_bytes].arrival == kNoLane) [[unlikely]]
      Recur(wire_bytes);
    return sizes_[wire_bytes];
  }
  /// Gives a common frame size its own lanes; other sizes have none.
  void UseLanes(EventQueue& queue, uint32_t wire_bytes);

 private:
  void Learn(uint32_t wire_bytes);
  void Recur(uint32_t wire_bytes);
  Rate rate_;
  Time delay_;
  uint32_t gap_;
  bool whole_ns_;
  uint32_t count_ = 0;  ///< number of used entries of sizes_
  std::vector<PerSize> sizes_;
  uint32_t without_lanes_ = 0;  ///< frames sent without lanes; a window has some thousand of them
  uint8_t window_ = 0;
  int learned_ = 0;  ///< number of sizes that got lanes because they recur
};

}  // namespace headroom

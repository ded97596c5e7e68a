#include "net/link_timing.h"

#include "sim/whole_ns.h"

namespace headroom {

void LinkTiming::Learn(uint32_t wire_bytes) {
  if (wire_bytes >= count_) sizes_.resize(count_ = wire_bytes + 1);
  PerSize& s = sizes_[wire_bytes];
  s.serialization =
      whole_ns_ ? WholeNanoseconds(Bytes(wire_bytes), rate_) : SerializationTime(Bytes(wire_bytes), rate_);
  s.known = true;
}

/// A frame without lanes is sent.
void LinkTiming::Recur(uint32_t wire_bytes) {
  For(wire_bytes);
  constexpr uint32_t kWindow = 4096;
  constexpr uint16_t kOften = kWindow / 16;
  constexpr int kMost = 8;
  if (learned_ == kMost) return;
  if (++without_lanes_ % kWindow == 0) ++window_;
  PerSize& s = sizes_[wire_bytes];
  if (s.window != window_) {
    s.window = window_;
    s.times = 0;
  }
  if (++s.times < kOften) return;
  ++learned_;
  UseLanes(EventQueue::Get(), wire_bytes);
}

void LinkTiming::UseLanes(EventQueue& queue, uint32_t wire_bytes) {
  Learn(wire_bytes);
  PerSize& s = sizes_[wire_bytes];
  s.arrival = queue.LaneFor(EventClass::arrival, s.serialization + delay_);
  s.done = queue.LaneFor(EventClass::transmit_end, s.serialization);
}

}  // namespace headroom

#include "net/link_timing.h"

namespace headroom {

void LinkTiming::Learn(uint32_t wire_bytes) {
  if (wire_bytes >= sizes_.size()) sizes_.resize(wire_bytes + 1);
  PerSize& s = sizes_[wire_bytes];
  s.serialization = SerializationTime(Bytes(wire_bytes), rate_);
  s.known = true;
}

void LinkTiming::UseLanes(EventQueue& queue, uint32_t wire_bytes) {
  Learn(wire_bytes);
  PerSize& s = sizes_[wire_bytes];
  s.arrival = queue.LaneFor(EventClass::arrival, s.serialization + delay_);
  s.done = queue.LaneFor(EventClass::transmit_end, s.serialization);
}

}  // namespace headroom

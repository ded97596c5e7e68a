// Feedback that a frame collects along its path and its ACK returns, for its sender's congestion control.
//
// Source of the records: Li et al., HPCC, SIGCOMM 2019, section 4.1 and figure 7. Each switch appends a
// record when the packet leaves its queue, and the receiver copies all records into the ACK.
#pragma once

#include <array>
#include <cstdint>

#include "sim/event.h"
#include "sim/units.h"

namespace headroom {

struct Feedback {
  /// The largest number of records in a frame: nHop has four bits.
  static constexpr int kMostHops = 15;
  /// The record of a switch port, taken when the frame's transmission starts there.
  struct Hop {
    EntityId port = 0;
    Time at;
    Rate rate;
    uint64_t sent = 0;   ///< bytes sent before this frame, with preambles and gaps
    int64_t queued = 0;  ///< bytes that remain for this port, in all queues
  };
  /// Pooled: only the first `count` entries are valid.
  struct Records {
    std::array<Hop, kMostHops> hop;
    void Clear() {}
  };

  Time sent;                   ///< start of the frame's transmission at the sender
  Time held;                   ///< from the frame's last bit at the receiver to its ACK
  Records* records = nullptr;  ///< null if there is no room for records
  uint16_t bytes = 0;          ///< size of this feedback on the wire, in the frame and in its ACK
  uint8_t room = 0;            ///< number of records that fit
  uint8_t count = 0;           ///< number of records
  uint8_t hops = 0;            ///< number of switches that the frame passed

  /// REQUIRES: i < count.
  const Hop& hop(int i) const { return records->hop[i]; }
};

}  // namespace headroom

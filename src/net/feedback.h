// Feedback that a frame gathers along its path and its ACK returns, for its sender's congestion control.
//
// Source of the records: Li et al., HPCC, SIGCOMM 2019, section 4.1 and figure 7: each switch appends one as
// the packet leaves its queue, and the receiver copies all of them into the ACK.
#pragma once

#include <array>
#include <cstdint>

#include "sim/event.h"
#include "sim/units.h"

namespace headroom {

struct Feedback {
  /// Most records of a frame: nHop has four bits.
  static constexpr int kMostHops = 15;
  /// A port of a switch, at the start of the frame's transmission there.
  struct Hop {
    EntityId port = 0;
    Time at;
    Rate rate;
    uint64_t sent = 0;   ///< bytes before this frame, with preambles and gaps
    int64_t queued = 0;  ///< bytes that stay behind for this port, in all queues
  };
  /// Pooled: `count` of them mean something.
  struct Records {
    std::array<Hop, kMostHops> hop;
    void Clear() {}
  };

  Time sent;                   ///< the start of its transmission at the sender
  Time held;                   ///< from its last bit at the receiver to its ACK
  Records* records = nullptr;  ///< null without room for records
  uint16_t bytes = 0;          ///< of this on the wire, in the frame and in its ACK
  uint8_t room = 0;            ///< number of records that fit
  uint8_t count = 0;           ///< records
  uint8_t hops = 0;            ///< switches that the frame passed

  /// REQUIRES: i < count.
  const Hop& hop(int i) const { return records->hop[i]; }
};

}  // namespace headroom

// The parts of a frame's time along its path, and of its ACK's: carried in the frames' extension.
//
// The sums grow where the time passes: at each port on the path, and in the NICs at both ends. Between `sent`
// and `mark` no time is left out: that span is `nic` plus the three times of both directions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/event.h"
#include "sim/units.h"

namespace headroom {

struct Itinerary {
  /// The time that a frame waited in one place, by cause.
  struct Wait {
    EntityId port = 0;  ///< the port by which it left
    uint8_t queue = 0;
    bool back = false;  ///< the frame was the ACK
    Time since;         ///< the time from which it was ready to leave
    Time queued;        ///< time behind other frames while the queue was allowed to send
    Time paused;        ///< time while the queue was paused
  };
  /// The times of one direction, from host to host.
  struct Direction {
    Time queued, paused;  ///< sums of the waits
    Time own;             ///< behind other packets of the same message, in switches
    Time wire;            ///< serialization, propagation, and latency of switches
  };

  uint32_t message = 0;
  bool back = false;  ///< the record now belongs to the ACK
  Time sent;          ///< start of the frame's transmission at its host
  Time mark;          ///< time until which all waits are accounted for
  Time nic;           ///< time in NICs since it was sent
  std::array<Direction, 2> directions;
  std::vector<Wait> waits;

  Direction& direction() { return directions[back ? 1 : 0]; }
  /// From the mark until `until` the frame is in a NIC.
  void PassInNic(Time until) {
    nic += until - mark;
    mark = until;
  }
  void Clear() {
    std::vector<Wait> kept = std::move(waits);
    kept.clear();
    *this = {};
    waits = std::move(kept);
  }
};

}  // namespace headroom

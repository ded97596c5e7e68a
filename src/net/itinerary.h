// Where the time of a frame went on its way, and of the ACK that it caused: goes along in the frames'
// extension.
//
// Its sum grows where the time passes: at each port on the way, and in the NICs at both ends. Between `sent`
// and `mark` nothing is left out: that span is `nic` and the three times of both ways.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/event.h"
#include "sim/units.h"

namespace headroom {

struct Itinerary {
  /// What a frame waited for in one place.
  struct Wait {
    EntityId port = 0;  ///< by which it left
    uint8_t queue = 0;
    bool back = false;  ///< it was the ACK
    Time since;         ///< ready to leave
    Time queued;        ///< behind others, while the queue might send
    Time paused;        ///< while the queue was paused
  };
  /// One way from host to host.
  struct Way {
    Time queued, paused;  ///< sums of the waits
    Time own;             ///< behind other packets of the same message, in switches
    Time wire;            ///< serialization, propagation, latency of switches
  };

  uint32_t message = 0;
  bool back = false;  ///< it is the ACK's now
  Time sent;          ///< the transmission of the frame started at its host
  Time mark;          ///< accounted for up to here
  Time nic;           ///< in NICs since it was sent
  std::array<Way, 2> ways;
  std::vector<Wait> waits;

  Way& way() { return ways[back ? 1 : 0]; }
  /// From the mark until then it is in a NIC.
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

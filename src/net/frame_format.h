// Sizes of RoCEv2 frames, in bytes.
//
// Sources: IEEE 802.3 (Ethernet 14, FCS 4, preamble and gap 20, at least 64), RFC 791 (IPv4 20), RFC 768
// (UDP 8), InfiniBand Architecture Specification 9.2 (BTH 12, RETH 16, AETH 4, ICRC 4) and annex A17 (CNP:
// BTH and 16 reserved bytes), IEEE 802.1Qbb (a PFC frame has the minimum length).
#pragma once

#include <algorithm>

#include "sim/units.h"

namespace headroom {

/// The sizes of frames with FCS. The defaults are RoCEv2's; another simulator's may be given for
/// cross-checks.
struct FrameFormat {
  int64_t header = 14 + 20 + 8 + 12 + 4 + 4;  ///< of every data frame: all but payload and extended headers
  int64_t reth = 16;                          ///< on the first frame of a WRITE
  int64_t ack = 14 + 20 + 8 + 12 + 4 + 4 + 4;
  int64_t cnp = 14 + 20 + 8 + 12 + 16 + 4 + 4;
  int64_t pfc = 64;
  int64_t gap = 20;  ///< preamble and inter-frame gap: on the wire, not in buffers
  int64_t min = 64;
  bool operator==(const FrameFormat&) const = default;

  constexpr Bytes Data(int64_t payload, bool first) const {
    return Bytes(std::max(min, header + (first ? reth : 0) + payload));
  }
  constexpr Bytes Ack() const { return Bytes(std::max(min, ack)); }
  constexpr Bytes Cnp() const { return Bytes(std::max(min, cnp)); }
  constexpr Bytes Pfc() const { return Bytes(std::max(min, pfc)); }
  constexpr Bytes OnWire(Bytes frame) const { return frame + Bytes(gap); }
};

}  // namespace headroom

// Syndromes of a NAK's AETH (InfiniBand Architecture Specification 9.7.5.2.3).
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

inline constexpr uint8_t kRnr = 0x20;  ///< plus the code of the RNR timer in the low five bits
inline constexpr uint8_t kSequenceError = 0x60;
inline constexpr uint8_t kInvalidRequest = 0x61;
inline constexpr uint8_t kRemoteAccess = 0x62;
inline constexpr uint8_t kRemoteOperation = 0x63;

/// The time for an RNR timer's code (9.7.5.2.8). REQUIRES: code < 32.
constexpr Time RnrTimer(uint8_t code) {
  constexpr int64_t kHundredthsOfMs[32] = {
      65536, 1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,   192,
      256,   384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return Microseconds(10) * kHundredthsOfMs[code];
}

}  // namespace headroom

// Parameters of SMC-R, and the constants of its implementation in Linux (net/smc).
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

struct SmcParameters {
  /// Whether connections continue as plain TCP.
  enum class Fallback : uint8_t {
    never,      ///< both ends have SMC-R
    no_option,  ///< the accepting host has no SMC-R: its SYN-ACK lacks the option
    declined    ///< the accepting host has SMC-R but no RDMA device: it declines the proposal
  };
  Fallback fallback = Fallback::never;
  Bytes buffer = Kibibytes(64);  ///< size of the send buffer and of the RMB, at each end of a connection
  int slots = 16;                ///< slots of a link, for CDC and LLC messages (sysctl smcr_max_send_wr)
  bool autocork = true;
  uint8_t priority = 3;  ///< the class of RDMA traffic
  uint8_t tag = 0;       ///< tag of its frames
  bool operator==(const SmcParameters&) const = default;
};

namespace smc {

inline constexpr int kMostConnections = 255;  ///< per link group
inline constexpr int64_t kCorkAtMost = 64 * 1024;
inline constexpr int64_t kUpdateAtLeast = 2304;  ///< in bytes; in addition to a tenth of the RMB
inline constexpr uint8_t kTimeout = 15, kRetry = 7, kRnrRetry = 7, kRnrTimer = 5;
inline constexpr Time kClcTimeout = Seconds(6), kLlcTimeout = Seconds(2);

}  // namespace smc
}  // namespace headroom

// How the queues of a port share the wire.
#pragma once

#include <cstdint>

namespace headroom {

/// The rule by which a queue gets its turns. Strict queues go before all others, the higher number first.
struct QueueScheduling {
  enum class Kind : uint8_t {
    dwrr,  ///< weighted shares counted in bytes
    wrr,   ///< weighted shares counted in packets
    strict
  };
  Kind kind = Kind::dwrr;
  uint32_t weight = 1;
  bool operator==(const QueueScheduling&) const = default;
};

}  // namespace headroom

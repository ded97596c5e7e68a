// How the queues of a port share the wire.
#pragma once

#include <cstdint>

namespace headroom {

/// How a queue gets its turns. Strict queues go before all others, the higher number first.
struct QueueScheduling {
  enum class Kind : uint8_t {
    dwrr,  ///< shares by bytes
    wrr,   ///< shares by packets
    strict
  };
  Kind kind = Kind::dwrr;
  uint32_t weight = 1;
  bool operator==(const QueueScheduling&) const = default;
};

}  // namespace headroom

// How the queues of a port share the wire.
#pragma once

#include <bit>
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

/// Deficit weighted round robin (Shreedhar and Varghese, SIGCOMM 1995): the queue that sends next. The queue
/// of the last turn keeps it while it is a candidate (one bit each) with a positive deficit. Otherwise the
/// turn passes from candidate to candidate, and `refill(queue)` adds the quantum of each. REQUIRES: a
/// candidate, and quanta above 0.
uint8_t TakeTurn(uint32_t candidates, uint8_t turn, const auto& deficit, const auto& refill) {
  while (((candidates >> turn) & 1) == 0 || deficit(turn) <= 0) {
    const uint32_t later = candidates & (0xfffffffeu << turn);
    turn = static_cast<uint8_t>(std::countr_zero(later != 0 ? later : candidates));
    refill(turn);
  }
  return turn;
}

}  // namespace headroom

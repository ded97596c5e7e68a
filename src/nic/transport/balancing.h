// Balancing at the sender: the entropy of each packet, which changes its UDP source port. Switches hash the
// port as always (ECMP), so packets of one queue pair take many paths.
//
// Source: Ultra Ethernet's simulator, uet-htsim at 40ccb05, uec_mp.cpp and buffer_reps. An ACK returns with
// the entropy of the packet that caused it.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

class Balancing {
 public:
  /// What the sender hears of a packet: it arrived, without or with a mark; a switch trimmed it.
  enum class News : uint8_t { good, marked, trimmed };

  Balancing() = default;
  virtual ~Balancing() = default;
  Balancing(const Balancing&) = delete;
  Balancing& operator=(const Balancing&) = delete;

  /// The entropy of the next packet, less than the number of entropies.
  virtual uint16_t Next(Time now) = 0;
  virtual void Hear(uint16_t /*entropy*/, News) {}
  /// No answer came for too long. The sender does not know for which entropy.
  virtual void OnTimeout(Time /*now*/) {}
};

}  // namespace headroom

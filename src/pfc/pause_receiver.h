// What a port does with the pauses it receives: acts after the response time, and starts again when the last
// one has run out. Source: IEEE 802.1Qbb, 36.1.3.
#pragma once

#include <array>

#include "net/port.h"
#include "pfc/parameters.h"

namespace headroom {

class PauseReceiver final : public EventTarget {
 public:
  void Setup(Port* port, Time response);
  /// A PFC frame is in at the port.
  void Receive(const Frame& pfc);

  void OnEvent(uint64_t arg) override;

 private:
  // Kinds of own events; the upper bits of the argument carry a PFC frame's content.
  static constexpr uint64_t kExpiry = 1, kEffect = 2;
  void Apply(uint8_t xoff, uint8_t xon, uint16_t quanta);
  void Resume(int priority);
  void ArmExpiry();

  Port* port_ = nullptr;
  Time response_;
  std::array<Time, kPriorities> until_{};  ///< of the paused priorities
  Time expiry_at_ = kNever;                ///< the pending expiry event, if any
};

}  // namespace headroom

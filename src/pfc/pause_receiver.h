// What a port does with the pauses it receives: acts after the response time, and starts again when the last
// one has run out. Source: IEEE 802.1Qbb, 36.1.3.
#pragma once

#include <array>

#include "net/nibbles.h"
#include "net/port.h"
#include "pfc/parameters.h"

namespace headroom {

class PauseReceiver final : public EventTarget {
 public:
  void Setup(Port* port, Time response);
  /// By priority, the queue that its pause stops; without this, that of its number. REQUIRES: nothing is
  /// paused.
  void SetQueues(const std::array<uint8_t, kPriorities>& queue_of);
  /// Priorities (a bit each) whose pauses count; without this, all. One that ceases to count while it is
  /// paused resumes at once.
  void Honour(uint8_t priorities);
  /// Priorities that are paused now.
  uint8_t paused() const { return paused_; }
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
  Nibbles queue_of_ = Nibbles::Identity();
  uint8_t honoured_ = 0xff;
  uint8_t paused_ = 0;
  std::array<Time, kPriorities> until_{};  ///< of the paused priorities
  Time expiry_at_ = kNever;                ///< the pending expiry event, if any
};

}  // namespace headroom

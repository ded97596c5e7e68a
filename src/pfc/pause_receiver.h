// A port that receives pauses stops after the response time, and starts again when the last pause has
// expired. The time of a pause runs from its arrival, whatever the response time; an XON, too, acts after the
// response time. Source: IEEE 802.1Qbb, 36.1.3.
#pragma once

#include <array>

#include "net/port.h"
#include "pfc/nibbles.h"
#include "pfc/parameters.h"
#include "sim/lazy.h"

namespace headroom {

class PauseReceiver final : public EventTarget {
 public:
  void Setup(Port* port, Time response);
  /// For each priority, the queue that its pause stops. Default: the queue with the priority's number.
  /// REQUIRES: nothing is paused.
  void SetQueues(const std::array<uint8_t, kPriorities>& queue_of);
  /// Priorities (a bit each) whose pauses count; without this call, all. A priority that stops counting while
  /// it is paused resumes immediately.
  void Honour(uint8_t priorities);
  /// A PFC frame has arrived at the port.
  void Receive(const Frame& pfc);
  /// From now on pauses of the priority have no effect; or they have effect again, and the peer's last
  /// request counts.
  void Ignore(int priority, bool ignored);
  /// The link is down: no pause is in force, and pauses that arrived before have no effect.
  void Reset();

  /// Priorities that are paused now.
  uint8_t paused() const { return static_cast<uint8_t>(asked_ & ~ignored_); }
  uint8_t queue_of(int priority) const { return queue_of_[priority]; }
  /// Whether the peer requests a pause, ignored or not; the number of its pauses that have ended; the total
  /// time that it has been paused.
  bool asked(int priority) const { return ((asked_ >> priority) & 1) != 0; }
  uint64_t ended(int priority) const { return (*pauses_)[priority].ended; }
  Time duration(int priority) const;

  void OnEvent(uint64_t arg) override;

 private:
  // Kinds of own events. The upper bits of the argument carry a PFC frame's content, the number of the
  // preceding reset, and the frame's number.
  static constexpr uint64_t kExpiry = 1, kEffect = 2;
  void Apply(uint8_t xoff, uint8_t xon, uint32_t number);
  void Resume(int priority);
  void Act(int priority, PauseChange::Kind kind);
  void ArmExpiry();

  Port* port_ = nullptr;
  Time response_;
  Nibbles queue_of_ = Nibbles::Identity();
  uint8_t honoured_ = 0xff;
  uint8_t asked_ = 0, ignored_ = 0;
  uint16_t resets_ = 0;
  /// The pauses of one priority.
  struct Pauses {
    Time until;  ///< the end of the last received pause
    Time since;  ///< start of the present pause, if the priority is in asked_
    Time duration;
    uint64_t ended = 0;
    uint32_t number = 0;  ///< PauseChange::number of the last pause that took effect
  };
  Lazy<std::array<Pauses, kPriorities>> pauses_;  ///< most ports are never paused
  Time expiry_at_ = kNever;                       ///< time of the pending expiry event, if any
};

}  // namespace headroom

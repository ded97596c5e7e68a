// A port that receives pauses acts after the response time, and starts again when the last one has expired.
// The time of a pause runs from its arrival, whatever the response; an XON, too, acts after the response
// time. Source: IEEE 802.1Qbb, 36.1.3.
#pragma once

#include <array>

#include "net/nibbles.h"
#include "net/port.h"
#include "pfc/parameters.h"

namespace headroom {

class PauseReceiver final : public EventTarget {
 public:
  void Setup(Port* port, Time response);
  /// By priority, the queue that its pause stops. Default: the queue with the priority's number. REQUIRES:
  /// nothing is paused.
  void SetQueues(const std::array<uint8_t, kPriorities>& queue_of);
  /// Priorities (a bit each) whose pauses count; without this, all. One that ceases to count while it is
  /// paused resumes at once.
  void Honour(uint8_t priorities);
  /// A PFC frame is in at the port.
  void Receive(const Frame& pfc);
  /// From now on pauses of the priority have no effect; or have one again, and the peer's last request
  /// counts.
  void Ignore(int priority, bool ignored);
  /// The link is down: no pause is in force, and no received one acts any more.
  void Reset();

  /// Priorities that are paused now.
  uint8_t paused() const { return static_cast<uint8_t>(asked_ & ~ignored_); }
  uint8_t queue_of(int priority) const { return queue_of_[priority]; }
  /// Whether the peer asks for a pause, ignored or not; how many of its pauses have ended; how long it has
  /// been paused so far.
  bool asked(int priority) const { return ((asked_ >> priority) & 1) != 0; }
  uint64_t ended(int priority) const { return ended_[priority]; }
  Time duration(int priority) const;

  void OnEvent(uint64_t arg) override;

 private:
  // Kinds of own events; the upper bits of the argument carry a PFC frame's content, which reset it came
  // after, and its number.
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
  std::array<Time, kPriorities> until_{};  ///< the end of the last pause that was received
  std::array<Time, kPriorities> since_{};  ///< of the priorities in asked_
  std::array<Time, kPriorities> duration_{};
  std::array<uint64_t, kPriorities> ended_{};
  std::array<uint32_t, kPriorities> number_{};  ///< PauseChange::number of the last pause that acted
  Time expiry_at_ = kNever;                     ///< the pending expiry event, if any
};

}  // namespace headroom

// A port pauses its peer: XOFF on request, repeated before it expires, XON on request. Source: IEEE 802.1Qbb,
// 36.2; the refresh interval is the sender's own choice.
#pragma once

#include <array>

#include "net/port.h"
#include "pfc/parameters.h"
#include "sim/lazy.h"

namespace headroom {

class PauseSender final : public EventTarget {
 public:
  void Setup(Port* port, const PfcParameters& parameters);
  /// Pauses these priorities (a bit each) with one frame. `group_bytes` is recorded with the pause. REQUIRES:
  /// none of them is XOFF.
  void Xoff(uint8_t priorities, int64_t group_bytes);
  /// REQUIRES: all of them are XOFF.
  void Xon(uint8_t priorities);
  uint8_t xoff() const { return xoff_; }
  /// While muted, a priority sends no PFC, whatever happens to its group; the peer gets no notice. Each call
  /// of Mute needs its own call of Unmute; afterwards a group that is XOFF sends its pause.
  void Mute(uint8_t priorities);
  void Unmute(uint8_t priorities);

  void OnEvent(uint64_t arg) override;

 private:
  static constexpr uint64_t kRefresh = 3;  ///< distinguishes the event from the receiver's at the same port
  void Note(uint8_t priorities, PauseChange::Kind kind, int64_t group_bytes);
  void Begin(uint8_t priorities, int64_t group_bytes);
  void ArmRefresh();
  /// Priorities whose pauses are repeated.
  uint8_t spoken() const { return static_cast<uint8_t>(xoff_ & ~muted_); }

  Port* port_ = nullptr;
  uint16_t quanta_ = 0;
  Time refresh_;
  uint8_t xoff_ = 0, muted_ = 0;
  std::array<uint8_t, kPriorities> mutes_{};  ///< number of mutes of each priority
  Lazy<std::array<Time, kPriorities>> due_;   ///< next refresh of each priority in spoken()
  Time refresh_at_ = kNever;                  ///< time of the pending event, if any
};

}  // namespace headroom

// REPS, recycled entropies (arXiv 2407.21625; buffer_reps in uet-htsim). The entropy of a packet that arrived
// without a mark is used once more. A ring holds the last eight of them; without one, the entropy is random.
//
// After a timeout the ring is frozen for 10 ms: its entropies are used in turn, again and again, because
// others may lead to a failed link. Then the ring is emptied, and 16 packets explore.
#pragma once

#include <algorithm>
#include <array>

#include "nic/transport/balancing/rounds.h"

namespace headroom {

class Reps final : public Balancing {
 public:
  Reps(int entropies, const std::string& name) : random_(entropies, name) {}

  uint16_t Next(Time now) override {
    if (frozen_until_ != kNever && now >= frozen_until_) {
      frozen_until_ = kNever;
      stored_ = unused_ = 0;
      explore_ = kExplored;
    }
    if (explore_ > 0) {
      --explore_;
      return random_.Any();
    }
    if (frozen_until_ != kNever && stored_ > 0) {
      turn_ = (turn_ + 1) % stored_;
      return ring_[turn_];
    }
    if (unused_ == 0) return random_.Any();
    return ring_[(head_ + kRing - unused_--) % kRing];
  }
  /// Overwrites the oldest entry.
  void Hear(uint16_t entropy, News news) override {
    if (news != News::good || frozen_until_ != kNever) return;
    ring_[head_] = entropy;
    head_ = (head_ + 1) % kRing;
    stored_ = std::max(stored_, head_ == 0 ? kRing : head_);
    if (unused_ < kRing) ++unused_;
  }
  void OnTimeout(Time now) override {
    if (stored_ == 0 || explore_ > 0) return;
    if (frozen_until_ == kNever) frozen_until_ = now + kFrozen;
  }

 private:
  static constexpr uint32_t kRing = 8;
  static constexpr int kExplored = 16;
  static constexpr Time kFrozen = Milliseconds(10);
  std::array<uint16_t, kRing> ring_{};
  uint32_t head_ = 0;    ///< where the next entropy is stored
  uint32_t stored_ = 0;  ///< entries that hold an entropy
  uint32_t unused_ = 0;  ///< the last stored ones, which have not been used again
  uint32_t turn_ = 0;
  int explore_ = 0;
  Time frozen_until_ = kNever;
  Rounds random_;
};

}  // namespace headroom

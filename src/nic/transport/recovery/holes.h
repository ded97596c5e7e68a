// A sequence of packets that may arrive out of order, or not at all: records which have arrived, and which
// count as lost.
//
// The packets that arrive behind a missing packet cause at most one retransmission: `repeated_to_` only
// increases. If the retransmission is lost too, the timer handles it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "nic/transport/transport_parameters.h"
#include "sim/deque.h"
#include "sim/ring.h"
#include "sim/units.h"

namespace headroom {

class Holes {
 public:
  explicit Holes(const RecoveryParameters& p) : after_(p.nack_after), after_time_(p.nack_after_time) {}

  bool Has(uint64_t psn) const {
    if (psn < base_ || (psn - base_) / 64 >= words_.size()) return false;
    return (words_[(psn - base_) / 64] >> (psn % 64) & 1) != 0;
  }
  /// A packet has arrived. REQUIRES: it had not arrived, and is not below the last argument of Done.
  void Arrived(uint64_t psn, Time now) {
    if (words_.empty()) base_ = psn / 64 * 64;
    while (psn <
           base_) {  // in the same word as the last argument of Done, or just before the first arrived packet
      words_.push_front(0);
      base_ -= 64;
    }
    while ((psn - base_) / 64 >= words_.size()) words_.push_back(0);
    words_[(psn - base_) / 64] |= uint64_t{1} << (psn % 64);
    if (psn < end_) return;
    end_ = psn + 1;
    if (after_time_) heard_.PushBack({now + *after_time_, end_});
  }
  /// All packets below `psn` have arrived, and are forgotten.
  void Done(uint64_t psn) {
    while (!words_.empty() && base_ + 64 <= psn) {
      words_.pop_front();
      base_ += 64;
    }
    repeated_to_ = std::max(repeated_to_, psn);
  }
  /// Missing packets below the result count as lost.
  uint64_t LostBelow(Time now) {
    if (!after_time_) return end_ < static_cast<uint64_t>(after_) ? 0 : end_ - static_cast<uint64_t>(after_);
    while (!heard_.Empty() && heard_.Front().at <= now) {
      ripe_ = heard_.Front().end - 1;
      heard_.PopFront();
    }
    return ripe_;
  }
  /// The next time, later than now, at which LostBelow increases by itself; none if it does not.
  std::optional<Time> NextChange(Time now) {
    LostBelow(now);
    return heard_.Empty() ? std::nullopt : std::optional(heard_.Front().at);
  }
  /// The first packet that may be retransmitted.
  uint64_t repeated_to() const { return repeated_to_; }
  /// Packets below `psn` have been retransmitted, or need not be.
  void PassTo(uint64_t psn) { repeated_to_ = std::max(repeated_to_, psn); }
  /// All packets that count as lost may be retransmitted again, from this one on.
  void Restart(uint64_t psn) { repeated_to_ = psn; }
  void Clear() {
    words_.clear();
    heard_.Clear();
    base_ = end_ = repeated_to_ = ripe_ = 0;
  }

 private:
  struct Heard {
    Time at;
    uint64_t end = 0;
  };
  int after_;
  std::optional<Time> after_time_;
  Deque<uint64_t> words_;  ///< bits of the arrived packets, from base_ on
  uint64_t base_ = 0;      ///< a multiple of 64
  uint64_t end_ = 0;       ///< one past the last packet that has arrived
  uint64_t repeated_to_ = 0;
  Ring<Heard> heard_;  ///< with a time threshold: arrivals with their times
  uint64_t ripe_ = 0;
};

}  // namespace headroom

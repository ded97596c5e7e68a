// How long ports send other packets of a message while its last one waits there: what of a wait in a queue a
// message owes to itself.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// Of messages of several packets, while they are on their way; places are numbered as frames count hops,
/// from 1.
class OwnPackets {
 public:
  /// `hops`: switches on the longest way; what lies beyond counts as the last.
  explicit OwnPackets(size_t hops) : hops_(std::max<size_t>(1, hops)) {}

  void Begin(uint32_t message) {
    if (message >= slot_of_.size()) slot_of_.resize(message + 1, kNone);
    if (free_.empty()) {
      free_.push_back(static_cast<uint32_t>(places_.size() / hops_));
      places_.resize(places_.size() + hops_);
    }
    slot_of_[message] = free_.back();
    free_.pop_back();
    std::fill_n(places_.begin() + static_cast<ptrdiff_t>(slot_of_[message] * hops_), hops_, Place{});
  }
  void End(uint32_t message) {
    if (!Has(message)) return;
    free_.push_back(slot_of_[message]);
    slot_of_[message] = kNone;
  }
  bool Has(uint32_t message) const { return message < slot_of_.size() && slot_of_[message] != kNone; }

  /// A packet of it is sent from `now` to `until`. REQUIRES, here and below: Has(message).
  void OnSent(uint32_t message, uint8_t hop, Time now, Time until) {
    Place& p = PlaceOf(message, hop);
    p.until = until;
    if (p.waits_from != kNever && until > p.waits_from) p.sent += until - std::max(now, p.waits_from);
  }
  /// The packet whose wait matters is in, and waits from then on.
  void Await(uint32_t message, uint8_t hop, Time now, Time from) {
    Place& p = PlaceOf(message, hop);
    p.waits_from = from;
    p.sent = p.until > std::max(now, from) ? p.until - from : Time{};
  }
  /// How long others of its message have been sent since it waits.
  Time Sent(uint32_t message, uint8_t hop) { return PlaceOf(message, hop).sent; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Place {
    Time until;                ///< the last that was sent was out
    Time waits_from = kNever;  ///< the one that matters
    Time sent;
  };
  Place& PlaceOf(uint32_t message, uint8_t hop) {
    return places_[slot_of_[message] * hops_ + std::min<size_t>(hop, hops_) - 1];
  }

  size_t hops_;
  std::vector<uint32_t> slot_of_, free_;
  std::vector<Place> places_;
};

}  // namespace headroom

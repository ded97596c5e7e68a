// Self-queueing: time that ports spend on a message's other packets while its last packet waits behind them.
// Packets that leave while none such waits at their port are not looked at.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "net/identifiers.h"
#include "sim/units.h"

namespace headroom {

/// Of messages of several packets, while they are on their way; places are numbered as frames count hops,
/// from 1.
class OwnPackets {
 public:
  /// A port on the way of a message.
  class Place {
   public:
    /// The port has this number. Packets of a message may take several ways.
    bool IsAt(EntityId port) const { return port == port_; }
    /// A packet of it is sent from `now` to `until`. REQUIRES: by this port.
    void OnSent(Time now, Time until) {
      if (until > waits_from_) sent_ += until - std::max(now, waits_from_);
    }
    /// The packet with the wait that matters is in, and waits from then on for this port. Another is being
    /// sent `until` then.
    void Await(EntityId port, Time now, Time from, Time until) {
      port_ = port;
      waits_from_ = from;
      sent_ = until > std::max(now, from) ? until - from : Time{};
    }
    /// How long others of its message have been sent since it waits.
    Time sent() const { return sent_; }

   private:
    Time waits_from_ = kNever;  ///< the one that matters
    Time sent_;
    EntityId port_ = 0;
  };

  /// `hops`: switches on the longest path; later ones count as the last.
  explicit OwnPackets(size_t hops) : hops_(std::max<size_t>(1, hops)) {}

  void Begin(uint32_t message) {
    std::vector<Slot>& slots = slots_[IsBulk(message)];
    const uint32_t place = PlaceOfMessage(message);
    if (place >= slots.size()) slots.resize(place + 1);
    End(slots[place].message);  // an old message that had the same place
    if (free_.empty()) {
      free_.push_back(static_cast<uint32_t>(places_.size() / hops_));
      places_.resize(places_.size() + hops_);
    }
    slots[place] = {message, free_.back()};
    free_.pop_back();
    std::fill_n(places_.begin() + static_cast<ptrdiff_t>(slots[place].at * hops_), hops_, Place{});
  }
  void End(uint32_t message) {
    Slot* const slot = SlotOf(message);
    if (slot == nullptr) return;
    free_.push_back(slot->at);
    slot->message = kNoMessage;
  }
  /// Null: it is none of several packets, or is no longer on its way. `hop`: from 1.
  Place* Find(uint32_t message, int hop) {
    const Slot* const slot = SlotOf(message);
    if (slot == nullptr) return nullptr;
    return &places_[slot->at * hops_ + std::min<size_t>(static_cast<size_t>(hop), hops_) - 1];
  }

 private:
  struct Slot {
    uint32_t message = kNoMessage;
    uint32_t at = 0;
  };
  Slot* SlotOf(uint32_t message) {
    std::vector<Slot>& slots = slots_[IsBulk(message)];
    const uint32_t place = PlaceOfMessage(message);
    if (place >= slots.size() || slots[place].message != message || message == kNoMessage) return nullptr;
    return &slots[place];
  }

  size_t hops_;
  std::array<std::vector<Slot>, 2> slots_;  ///< of messages with a work request, and of bulk
  std::vector<uint32_t> free_;
  std::vector<Place> places_;
};

}  // namespace headroom

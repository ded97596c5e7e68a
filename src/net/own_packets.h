// Self-queueing: time that ports spend on a message's other packets while its last packet waits behind them.
// Packets that leave while no such packet waits at their port are ignored.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "net/identifiers.h"
#include "sim/units.h"

namespace headroom {

/// Messages of several packets while they are in flight; places are numbered as frames count hops, from 1.
class OwnPackets {
 public:
  /// A port on the path of a message.
  class Place {
   public:
    /// Whether the port has this number. Packets of a message may take several paths.
    bool IsAt(EntityId port) const { return port == port_; }
    /// The port sends a packet of the message from `now` to `until`. REQUIRES: the packet leaves by this
    /// port.
    void OnSent(Time now, Time until) {
      if (until > waits_from_) sent_ += until - std::max(now, waits_from_);
    }
    /// The last packet of the message has arrived, and will wait for this port. Another packet is being sent
    /// until `until`.
    void Await(EntityId port, Time now, Time from, Time until) {
      port_ = port;
      waits_from_ = from;
      sent_ = until > std::max(now, from) ? until - from : Time{};
    }
    /// The time that other packets of the message were sent while the last one waited.
    Time sent() const { return sent_; }

   private:
    Time waits_from_ = kNever;  ///< start of the wait of the last packet
    Time sent_;
    EntityId port_ = 0;
  };

  /// The messages of other ranks of the run (sim/parts.h) begin here when their last packet first waits.
  /// `rank_of`: indexed by host. REQUIRES: called before the first message.
  void JoinRanks(uint32_t rank, uint32_t ranks, std::vector<uint32_t> rank_of) {
    rank_ = rank, ranks_ = ranks, rank_of_ = std::move(rank_of);
  }
  bool IsElsewhere(uint32_t message) const { return ranks_ > 1 && RankOf(message) != rank_; }
  /// Messages of this rank that have ended since the last call.
  std::vector<uint32_t> TakeEnded() { return std::exchange(ended_, {}); }
  /// A message of another rank has ended there.
  void EndElsewhere(uint32_t message) {
    if (IsBulk(message)) {
      if (message >= over_.size()) over_.resize(message + 1);
      over_[message] = true;
    } else {
      const NodeId host = numbers_.HostOf(message);
      if (host >= over_of_verbs_.size()) over_of_verbs_.resize(host + 1);
      over_of_verbs_[host].resize(verbs_mask_ + 1, kNoMessage);
      over_of_verbs_[host][PlaceOf(message)] = message;
    }
    End(message);
  }

  /// A message with a work request is posted on another rank. An older one may have had its number.
  void PostElsewhere(uint32_t message) {
    const NodeId host = numbers_.HostOf(message);
    if (host < over_of_verbs_.size() && !over_of_verbs_[host].empty() &&
        over_of_verbs_[host][PlaceOf(message)] == message)
      over_of_verbs_[host][PlaceOf(message)] = kNoMessage;
  }

  /// `hops`: switches on the longest path; later hops count as the last. `numbers`: of messages with a work
  /// request.
  explicit OwnPackets(size_t hops, const NumbersOfVerbs& numbers = NumbersOfVerbs())
      : hops_(std::max<size_t>(1, hops)),
        numbers_(numbers),
        verbs_mask_(std::bit_ceil(numbers.remembered()) - 1),
        bulk_(2),
        mask_(1) {}

  void Begin(uint32_t message) {
    std::vector<Slot>& slots = SlotsOf(message);
    if (IsBulk(message)) {
      while (slots[message & mask_].message != kNoMessage && slots[message & mask_].message != message)
        Double();
    }
    const uint32_t place = PlaceOf(message);
    if (place >= slots.size()) slots.resize(place + 1);
    End(slots[place].message);  // an older message in the same slot
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
    if (ranks_ > 1 && RankOf(message) == rank_) ended_.push_back(message);
  }
  /// Find for a last packet that will wait.
  Place* FindToAwait(uint32_t message, int hop) {
    if (IsElsewhere(message) && SlotOf(message) == nullptr) {
      if (IsOver(message)) return nullptr;
      Begin(message);
    }
    return Find(message, hop);
  }
  /// Returns null if the message has a single packet or is no longer in flight. `hop`: counted from 1.
  Place* Find(uint32_t message, int hop) {
    const Slot* const slot = SlotOf(message);
    if (slot == nullptr) return nullptr;
    return &places_[slot->at * hops_ + std::min<size_t>(static_cast<size_t>(hop), hops_) - 1];
  }

 private:
  /// The rank of the message's sender.
  uint32_t RankOf(uint32_t message) const {
    return IsBulk(message) ? message % ranks_ : rank_of_[numbers_.HostOf(message)];
  }
  bool IsOver(uint32_t message) const {
    if (IsBulk(message)) return message < over_.size() && over_[message];
    const NodeId host = numbers_.HostOf(message);
    return host < over_of_verbs_.size() && !over_of_verbs_[host].empty() &&
           over_of_verbs_[host][PlaceOf(message)] == message;
  }
  struct Slot {
    uint32_t message = kNoMessage;
    uint32_t at = 0;
  };
  std::vector<Slot>& SlotsOf(uint32_t message) {
    if (IsBulk(message)) return bulk_;
    const NodeId host = numbers_.HostOf(message);
    if (host >= of_verbs_.size()) of_verbs_.resize(host + 1);
    return of_verbs_[host];
  }
  uint32_t PlaceOf(uint32_t message) const { return message & (IsBulk(message) ? mask_ : verbs_mask_); }
  /// Gives each bulk message in flight a place in twice as many slots. Two that differ in their old places
  /// also differ in the new ones.
  void Double() {
    std::vector<Slot> twice(2 * bulk_.size());
    mask_ = static_cast<uint32_t>(twice.size() - 1);
    for (const Slot& slot : bulk_) {
      if (slot.message != kNoMessage) twice[slot.message & mask_] = slot;
    }
    bulk_ = std::move(twice);
  }
  Slot* SlotOf(uint32_t message) {
    if (message == kNoMessage) return nullptr;
    std::vector<Slot>& slots = SlotsOf(message);
    const uint32_t place = PlaceOf(message);
    if (place >= slots.size() || slots[place].message != message) return nullptr;
    return &slots[place];
  }

  size_t hops_;
  NumbersOfVerbs numbers_;
  uint32_t verbs_mask_;  ///< the place of a message with a work request is these bits of its number
  std::vector<std::vector<Slot>> of_verbs_;  ///< indexed by host: messages with a work request
  std::vector<Slot> bulk_;  ///< a power of two, at least the number of bulk messages in flight
  uint32_t mask_;           ///< the place of a bulk message is these bits of its number
  uint32_t rank_ = 0, ranks_ = 1;
  std::vector<uint32_t> rank_of_;  ///< indexed by host
  std::vector<uint32_t> ended_;    ///< of this rank
  std::vector<bool> over_;         ///< indexed by message: bulk messages of other ranks that have ended
  /// The last that ended of other messages, by host and PlaceOf.
  std::vector<std::vector<uint32_t>> over_of_verbs_;
  std::vector<uint32_t> free_;
  std::vector<Place> places_;
};

}  // namespace headroom

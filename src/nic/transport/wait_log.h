// The waits of messages, those of one message side by side: all of them, or only the last ones.
#pragma once

#include <vector>

#include "nic/transport/message_parts.h"

namespace headroom {

class WaitLog {
 public:
  /// `remembered`: the number of waits kept; UINT32_MAX: all.
  explicit WaitLog(uint32_t remembered) : remembered_(remembered) {}

  /// Adds to a message's waits, which `p` points to.
  void Keep(MessageParts& p, const std::vector<Itinerary::Wait>& waits) {
    if (waits.empty() || !Has(p)) return;
    if (p.waits == 0 || p.first_wait + p.waits != next_) Move(p);
    for (const Itinerary::Wait& wait : waits) Next() = wait;
    p.waits += static_cast<uint32_t>(waits.size());
  }
  /// Whether the waits that `p` points to are still kept.
  bool Has(const MessageParts& p) const { return p.waits == 0 || next_ - p.first_wait <= remembered_; }
  /// REQUIRES: Has(p).
  void Append(const MessageParts& p, std::vector<Itinerary::Wait>& to) const {
    for (uint32_t i = 0; i < p.waits; ++i) to.push_back(all_[(p.first_wait + i) % remembered_]);
  }
  /// If all are kept: the waits by number.
  const std::vector<Itinerary::Wait>& all() const { return all_; }

 private:
  /// Moves the message's waits to the end, because later waits of other messages lie behind them, as for a
  /// READ's request.
  void Move(MessageParts& p) {
    const uint32_t before = p.first_wait;
    p.first_wait = next_;
    for (uint32_t i = 0; i < p.waits; ++i) {
      const Itinerary::Wait wait = all_[(before + i) % remembered_];
      Next() = wait;
    }
  }
  Itinerary::Wait& Next() {
    const uint32_t place = next_++ % remembered_;
    if (place >= all_.size()) all_.emplace_back();
    return all_[place];
  }

  uint32_t remembered_;
  uint32_t next_ = 0;  ///< number of the next wait
  std::vector<Itinerary::Wait> all_;
};

}  // namespace headroom

// The waits of messages, those of one message side by side.
#pragma once

#include <vector>

#include "nic/transport/message_parts.h"

namespace headroom {

class WaitLog {
 public:
  /// Adds to a message's waits, which `p` points to.
  void Keep(MessageParts& p, const std::vector<Itinerary::Wait>& waits) {
    if (waits.empty()) return;
    if (p.waits == 0 || p.first_wait + p.waits != all_.size()) Move(p);
    all_.insert(all_.end(), waits.begin(), waits.end());
    p.waits += static_cast<uint32_t>(waits.size());
  }
  /// Appends a message's waits to `to`.
  void Append(const MessageParts& p, std::vector<Itinerary::Wait>& to) const {
    const auto first = all_.begin() + p.first_wait;
    to.insert(to.end(), first, first + p.waits);
  }
  const std::vector<Itinerary::Wait>& all() const { return all_; }

 private:
  /// Moves the message's waits to the end, because later waits of other messages lie behind them, as for a
  /// READ's request.
  void Move(MessageParts& p) {
    const uint32_t before = p.first_wait;
    p.first_wait = static_cast<uint32_t>(all_.size());
    for (uint32_t i = 0; i < p.waits; ++i) {
      const Itinerary::Wait wait = all_[before + i];
      all_.push_back(wait);
    }
  }

  std::vector<Itinerary::Wait> all_;
};

}  // namespace headroom

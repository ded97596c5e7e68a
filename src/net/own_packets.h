// Self-queueing: the time that a port sends a message's other packets while its last packet waits behind
// them. Packets that leave while no such packet waits at the port are ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "sim/units.h"

namespace headroom {

/// The last packets that wait to leave by one port, of messages of several packets. No node knows more of
/// another node's packets.
class OwnPackets {
 public:
  /// The last packet of the message has arrived, and will wait from `from` on. Another packet of it is being
  /// sent until `until`.
  void Await(uint32_t message, Time now, Time from, Time until) {
    Place& place = places_[message];
    ++place.waiting;
    place.waits_from = from;
    place.sent = until > std::max(now, from) ? until - from : Time{};
  }
  /// A packet of the message is sent from `now` to `until`.
  void OnSent(uint32_t message, Time now, Time until) {
    const auto at = places_.find(message);
    if (at == places_.end()) return;
    Place& place = at->second;
    if (until > place.waits_from) place.sent += until - std::max(now, place.waits_from);
  }
  /// The time that other packets of the message were sent while the last one waited.
  Time Sent(uint32_t message) const {
    const auto at = places_.find(message);
    return at == places_.end() ? Time{} : at->second.sent;
  }
  /// The last packet leaves, or is dropped. A message may have several, if its last packet is sent again.
  void Leave(uint32_t message) {
    const auto at = places_.find(message);
    if (--at->second.waiting == 0) places_.erase(at);
  }
  bool empty() const { return places_.empty(); }

 private:
  struct Place {
    uint32_t waiting = 0;
    Time waits_from, sent;
  };
  std::unordered_map<uint32_t, Place> places_;  // found by message, never iterated
};

}  // namespace headroom

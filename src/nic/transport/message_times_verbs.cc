// Part of message_times.h: the places of messages with a work request.
#include <utility>

#include "nic/transport/message_times.h"
#include "sim/event_queue.h"

namespace headroom {

/// The place of the host's oldest message serves a new one if no part of the network can still know the old
/// message; otherwise the host gets more places.
uint32_t MessageTimes::AddOfVerbs(NodeId host, Time now) {
  constexpr size_t kFirst = 16;
  if (host >= of_verbs_.size()) of_verbs_.resize(host + 1);
  OfHost& h = of_verbs_[host];
  if (h.ring.empty()) h.ring.resize(kFirst);
  const auto taken = [&] {
    const auto places = static_cast<uint32_t>(h.ring.size());
    if (h.posted < places) return false;
    if (places >= numbers_.different() / 2) return false;
    if (places <= numbers_.remembered()) return true;
    return h.At(h.posted - places + numbers_.remembered()).running.posted + window_ + window_ > now;
  };
  while (taken()) {
    const auto before = static_cast<uint32_t>(h.ring.size());
    std::vector<OfVerbs> ring(size_t{2} * before);
    for (uint32_t count = h.posted - before; count != h.posted; ++count)
      ring[count & (2 * before - 1)] = std::move(h.At(count));
    h.ring = std::move(ring);
  }
  OfVerbs& m = h.At(h.posted);
  m.number = numbers_.Of(host, h.posted++);
  m.delivered = m.ended = m.news_of_path = m.news_of_delivery = false;
  m.state = {};
  m.running.posted = now;
  m.running.parts = {};
  m.running.waits.clear();
  return m.number;
}

uint32_t MessageTimes::NewNumber(NodeId host, Time now) {
  if (ranks_ > 1) news_.posted.push_back({host, now});
  return AddOfVerbs(host, now);
}

bool MessageTimes::Forgotten(const OfHost& host, uint32_t message) const {
  const uint32_t later = host.posted - Since(host, message) + numbers_.remembered();
  return host.At(later).running.posted + window_ <= EventQueue::Get().now();
}

}  // namespace headroom

// Part of message_times.h: the places of bulk messages in memory, which is used again if each message is
// taken away when it is over.
#include <utility>

#include "nic/transport/message_times.h"

namespace headroom {

void MessageTimes::ReuseMemory() {
  constexpr size_t kPlaces = 64;
  states_.resize(kPlaces);
  parts_.resize(kPlaces);
  waits_of_.resize(kPlaces);
  mask_ = kPlaces - 1;
}

void MessageTimes::MakePlace(uint32_t message) {
  if (!ReusesMemory()) {
    const uint32_t place = PlaceOfBulk(message);
    if (place < states_.size()) return;
    states_.resize(place + 1);
    parts_.resize(place + 1);
    return;
  }
  const auto taken = [&](uint32_t number) { return number != kNoMessage && number != message; };
  while (taken(states_[PlaceOfBulk(message)].number)) {
    const size_t before = states_.size();
    mask_ = static_cast<uint32_t>(2 * before - 1);
    states_.resize(2 * before);
    parts_.resize(2 * before);
    waits_of_.resize(2 * before);
    for (size_t place = 0; place < before; ++place) {
      const uint32_t to = PlaceOfBulk(states_[place].number);
      if (states_[place].number == kNoMessage || to == place) continue;
      states_[to] = std::exchange(states_[place], {});
      parts_[to] = std::exchange(parts_[place], {});
      waits_of_[to].swap(waits_of_[place]);
    }
  }
}

/// The path may be that of a later message of the same queue pair, whose answer ended this one, too.
void MessageTimes::KeepWaits(Account m, const std::vector<Itinerary::Wait>& more) {
  if (m.waits != nullptr) {
    m.waits->insert(m.waits->end(), more.begin(), more.end());
    return;
  }
  if (waits_of_.empty()) return waits_.Keep(m.parts, more);
  std::vector<Itinerary::Wait>& waits = waits_of_[PlaceOfBulk(m.state.number)];
  waits.insert(waits.end(), more.begin(), more.end());
  m.parts.waits = static_cast<uint32_t>(waits.size());
}

MessageParts MessageTimes::Take(uint32_t message, Time at, std::vector<Itinerary::Wait>& waits) {
  waits.clear();
  if (!Knows(message)) return {};
  if (!part_of_.empty()) JoinShare(message);
  if (at != kNever) OnCompleted(message, at);
  const uint32_t place = PlaceOfBulk(message);
  const MessageParts parts = std::exchange(parts_[place], {});
  states_[place] = {};
  waits = waits_of_[place];
  waits_of_[place].clear();
  return parts;
}

}  // namespace headroom

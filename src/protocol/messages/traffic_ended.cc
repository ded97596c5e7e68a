// Part of traffic.h: messages that leave when they are completed, so that memory holds only the open ones.
//
// Numbers are never used twice, because late packets still carry the numbers of ended messages. A number's
// place is its last bits, as many as keep half of the places free. Numbers with a taken place are left out.
#include <stdexcept>
#include <utility>

#include "protocol/messages/traffic.h"

namespace headroom {

void Traffic::LetGo(OnEnded ended, std::function<void(const Late&)> late) {
  constexpr size_t kPlaces = 64;
  on_ended_ = std::move(ended);
  on_late_ = std::move(late);
  messages_.resize(kPlaces);
  ids_.resize(kPlaces, kNoMessage);
  mask_ = kPlaces - 1;
}

uint32_t Traffic::NewId() {
  if (const size_t before = ids_.size(); 2 * open_count_ >= before) {
    std::vector<MessageRecord> messages(2 * before);
    std::vector<uint32_t> ids(2 * before, kNoMessage), queue_pairs(2 * before);
    queue_pair_of_.resize(before);
    mask_ = static_cast<uint32_t>(2 * before - 1);
    for (size_t place = 0; place < before; ++place) {
      if (ids_[place] == kNoMessage) continue;
      const uint32_t to = ids_[place] & mask_;
      messages[to] = messages_[place];
      ids[to] = ids_[place];
      queue_pairs[to] = queue_pair_of_[place];
    }
    messages_ = std::move(messages);
    ids_ = std::move(ids);
    queue_pair_of_ = std::move(queue_pairs);
  }
  while (ids_[next_id_ & mask_] != kNoMessage) ++next_id_;
  if (!IsBulk(next_id_)) throw std::length_error("a run has at most 2^31 messages");
  const uint32_t id = next_id_++;
  ids_[id & mask_] = id;
  ++begun_count_;
  ++open_count_;
  return id;
}

void Traffic::End(uint32_t message, const MessageRecord& record) {
  ids_[message & mask_] = kNoMessage;
  --open_count_;
  on_ended_(message, record);
}

void Traffic::LetGoOfOpen() {
  for (size_t place = 0; place < ids_.size(); ++place) {
    if (ids_[place] != kNoMessage) on_ended_(ids_[place], messages_[place]);
  }
}

}  // namespace headroom

// Part of traffic.h: messages that leave when they are completed, so that memory holds only the open ones.
//
// Numbers are never used twice, because late packets still carry the numbers of ended messages. A message's
// place is the last bits of its count, as many as keep half of the places free. Counts with a taken place are
// left out.
#include <stdexcept>
#include <utility>

#include "protocol/messages/traffic.h"

namespace headroom {

void Traffic::LetGo(OnEnded ended, std::function<void(const Apart&)> apart) {
  constexpr size_t kPlaces = 64;
  on_ended_ = std::move(ended);
  on_apart_ = std::move(apart);
  messages_.resize(kPlaces);
  ids_.resize(kPlaces, kNoMessage);
  mask_ = kPlaces - 1;
  if (Parts::Get().Several()) begun_at_.resize(kPlaces);
}

uint32_t Traffic::NewId() {
  if (const size_t before = ids_.size(); 2 * open_count_ >= before) {
    std::vector<MessageRecord> messages(2 * before);
    std::vector<uint32_t> ids(2 * before, kNoMessage), queue_pairs(2 * before);
    std::vector<Parts::Place> begun_at(begun_at_.empty() ? 0 : 2 * before);
    queue_pair_of_.resize(before);
    mask_ = static_cast<uint32_t>(2 * before - 1);
    for (size_t place = 0; place < before; ++place) {
      if (ids_[place] == kNoMessage) continue;
      const uint32_t to = PlaceOf(ids_[place]);
      messages[to] = messages_[place];
      ids[to] = ids_[place];
      queue_pairs[to] = queue_pair_of_[place];
      if (!begun_at.empty()) begun_at[to] = begun_at_[place];
    }
    messages_ = std::move(messages);
    ids_ = std::move(ids);
    queue_pair_of_ = std::move(queue_pairs);
    begun_at_ = std::move(begun_at);
  }
  while (ids_[next_count_ & mask_] != kNoMessage) ++next_count_;
  const uint64_t number = uint64_t{next_count_} * ranks_ + rank_;
  if (number > UINT32_MAX || !IsBulk(static_cast<uint32_t>(number)))
    throw std::length_error("a run has at most 2^31 messages");
  const uint32_t id = NumberOf(next_count_++);
  ids_[PlaceOf(id)] = id;
  if (!begun_at_.empty()) begun_at_[PlaceOf(id)] = Parts::Get().Now();
  ++begun_count_;
  ++open_count_;
  return id;
}

void Traffic::End(uint32_t message, const MessageRecord& record) {
  const Begun begun = BegunOf(message);
  ids_[PlaceOf(message)] = kNoMessage;
  --open_count_;
  on_ended_(begun, record);
}

Traffic::Begun Traffic::BegunOf(uint32_t message) const {
  return {message, begun_at_.empty() ? Parts::Place{} : begun_at_[PlaceOf(message)]};
}

void Traffic::LetGoOfOpen() {
  for (size_t place = 0; place < ids_.size(); ++place) {
    if (ids_[place] != kNoMessage) on_ended_(BegunOf(ids_[place]), messages_[place]);
  }
  LetGoOfApart();
}

void Traffic::LetGoOfApart() {
  for (const Apart& apart : apart_) on_apart_(apart);
  apart_.clear();
  apart_at_.clear();
}

}  // namespace headroom

// Part of recorder.h: messages, operations and pauses that leave memory when they end.
#include <algorithm>

#include "run/recorder.h"

namespace headroom {

void Recorder::LetGo(std::shared_ptr<EndedRecords> ended, MessageTimes* times, Services& services) {
  record_.ended = std::move(ended);
  if (Parts::Get().ranks() > 1) Parts::Get().Add(*record_.ended);
  times_ = times;
  if (times != nullptr) times->ReuseMemory();
  traffic_.LetGo(
      [this](const Traffic::Begun& begun, const MessageRecord& message) { EndMessage(begun, message); },
      [this](const Traffic::Apart& apart) { record_.ended->Add(apart); });
  // The record may have been collected: operations that are still open come after that.
  services.LetGo(
      [this, to = record_.ended](const OperationRecord& operation,
                                 const std::vector<Itinerary::Wait>& waits) {
        to->Add(OperationView{operation, InRecords(waits)});
      },
      kExactValues);
}

std::span<const WaitRecord> Recorder::InRecords(const std::vector<Itinerary::Wait>& waits) {
  wait_records_.resize(waits.size());
  std::ranges::transform(waits, wait_records_.begin(), [this](const auto& wait) { return InRecord(wait); });
  return wait_records_;
}

/// A message of whose time another part has a share waits for the end of the window in which it ended.
void Recorder::EndMessage(const Traffic::Begun& begun, const MessageRecord& message) {
  if (times_ == nullptr) return record_.ended->Add(MessageView{message, nullptr, {}}, begun);
  while (!ended_.empty() && times_->HasShareOf(ended_.front().begun.message)) {
    const Ended first = ended_.front();
    ended_.pop_front();
    AddEnded(first.begun, first.message);
  }
  if (times_->HasShareOf(begun.message)) return AddEnded(begun, message);
  ended_.push_back({begun, message});
}

/// Time that is not accounted for counts as `other`, as in TakeTimes.
void Recorder::AddEnded(const Traffic::Begun& begun, const MessageRecord& message) {
  MessageParts parts = times_->Take(begun.message, message.completed, taken_waits_);
  if (message.Finished()) parts[MessagePart::other] += message.completed - message.start - parts.Sum();
  record_.ended->Add(MessageView{message, &parts, InRecords(taken_waits_)}, begun);
}

int64_t Recorder::BeginPause(const PauseRecord& pause) {
  if (!free_pauses_.empty()) {
    const int64_t place = free_pauses_.back();
    free_pauses_.pop_back();
    record_.pauses[static_cast<size_t>(place)] = pause;
    pause_orders_[static_cast<size_t>(place)] = begun_pauses_++;
    return place;
  }
  record_.pauses.push_back(pause);
  if (record_.ended) {
    pause_orders_.push_back(begun_pauses_++);
  } else {
    pauses_.Note();
  }
  return static_cast<int64_t>(record_.pauses.size()) - 1;
}

void Recorder::EndPause(int64_t place) {
  const auto at = static_cast<size_t>(place);
  record_.ended->Add(record_.pauses[at], pause_orders_[at]);
  free_pauses_.push_back(place);
}

void Recorder::LetGoOfOpen() {
  if (times_ != nullptr) {
    times_->Settle();
    times_->JoinShares();
  }
  traffic_.LetGoOfOpen();
  for (const Ended& one : ended_) AddEnded(one.begun, one.message);
  ended_.clear();
  for (const Lazy<OpenPauses>& of_port : open_pauses_) {
    for (const auto& by_priority : *of_port) {
      for (const OpenPause& open : by_priority) {
        if (open.index >= 0) EndPause(open.index);
      }
    }
  }
  record_.pauses.clear();
}

}  // namespace headroom

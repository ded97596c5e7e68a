#include "protocol/storage/disk.h"

#include <algorithm>

namespace headroom {

void Disk::Execute(SkKind kind, uint64_t, uint32_t, uint8_t*, Done done) {
  const Time now = EventQueue::Get().now();
  const Time begins = std::max(now, next_);
  next_ = begins + gap_;
  const Time ends = begins + (kind == SkKind::read ? parameters_.read : parameters_.write);
  ++executed_;
  if (ends == now) return done(SkStatus::ok);
  uint32_t place = static_cast<uint32_t>(waiting_.size());
  if (free_.empty()) {
    waiting_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
  }
  waiting_[place] = {std::move(done), trail_ == nullptr ? 0 : trail_->current()};
  EventQueue::Get().PushTarget(ends, TimedEvent::Order(EventClass::workload, entity_, executed_), this,
                               place);
}

void Disk::OnEvent(uint64_t place) {
  const Waiting waiting = std::move(waiting_[place]);
  free_.push_back(static_cast<uint32_t>(place));
  if (trail_ != nullptr) {
    const Time now = EventQueue::Get().now();
    trail_->SetCurrent(trail_->Add(waiting.cause, OperationPart::device, now, now));
  }
  waiting.done(SkStatus::ok);
  if (trail_ != nullptr) trail_->SetCurrent(0);
}

}  // namespace headroom

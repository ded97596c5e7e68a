#include "protocol/storage/disk.h"

#include <algorithm>
#include <utility>

namespace headroom {

void Disk::Execute(StorageCall call, Reply reply) {
  const Time now = EventQueue::Get().now();
  const Time begins = std::max(now, next_);
  next_ = begins + gap_;
  began_ += gap_;
  first_ = std::min(first_, now);
  const Bytes bytes(call.length);
  const Time ends = call.kind == OperationKind::read ? ReadEnds(begins, bytes) : WriteEnds(begins, bytes);
  ++executed_;
  if (ends == now) return reply(OperationStatus::ok, {});
  uint32_t place = static_cast<uint32_t>(waiting_.size());
  if (free_.empty()) {
    waiting_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
  }
  waiting_[place] = {std::move(reply), trail_ == nullptr ? 0 : trail_->current()};
  EventQueue::Get().PushTarget(ends, TimedEvent::Order(EventClass::workload, entity_, executed_), this,
                               place);
}

Time Disk::ReadEnds(Time begins, Bytes bytes) {
  if (parameters_.read_bandwidth.v > 0) {
    const Time takes = SerializationTime(bytes, parameters_.read_bandwidth);
    read_ = std::max(begins, read_) + takes;
    reading_ += takes;
    begins = read_;
  }
  return begins + parameters_.read.Draw(random_);
}

/// A write begins when the cache has room for it.
Time Disk::WriteEnds(Time begins, Bytes bytes) {
  const Rate bandwidth = parameters_.write_bandwidth;
  if (bandwidth.v > 0) {
    const Time takes = SerializationTime(bytes, bandwidth);
    drained_ = std::max(begins, drained_) + takes;
    draining_ += takes;
    begins = std::max(begins, drained_ - SerializationTime(parameters_.cache, bandwidth));
  }
  return begins + parameters_.write.Draw(random_);
}

ResourceUse Disk::Use(NodeId host) const {
  const Time now = EventQueue::Get().now();
  Time most;
  // Work that ends later has not been done yet.
  for (const auto& [sum, until] : {std::pair(began_, next_), {reading_, read_}, {draining_, drained_}})
    most = std::max(most, sum - std::max(until - now, Time(0)));
  return {ResourceUse::Kind::disk, host, 0, most, first_ == kNever ? Time(0) : now - first_};
}

void Disk::OnEvent(uint64_t place) {
  const Waiting waiting = std::move(waiting_[place]);
  free_.push_back(static_cast<uint32_t>(place));
  if (trail_ != nullptr) {
    const Time now = EventQueue::Get().now();
    trail_->SetCurrent(trail_->Add(waiting.cause, OperationPart::device, now, now));
  }
  waiting.reply(OperationStatus::ok, {});
  if (trail_ != nullptr) trail_->SetCurrent(0);
}

}  // namespace headroom

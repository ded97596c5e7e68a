#include "protocol/channel/migrating_channel.h"

#include <utility>

#include "sim/event_queue.h"

namespace headroom {

MigratingChannel::MigratingChannel(StorageChannel& main, StorageChannel& standby, Trail* trail)
    : trail_(trail) {
  At(Path::main).channel = &main;
  At(Path::standby).channel = &standby;
}

void MigratingChannel::Open(std::function<void()> joined) {
  closed_ = false;
  on_joined_ = std::move(joined);
  OpenPath(active_);
}

void MigratingChannel::OpenPath(Path path) {
  End& end = At(path);
  if (std::exchange(end.open, true)) return;
  end.attached = false;
  end.channel->Open([this, path, opening = ++end.openings] { OnJoined(path, opening); });
}

void MigratingChannel::OnJoined(Path path, uint32_t opening) {
  if (At(path).openings != opening || !At(path).open) return;  // it was closed in the meantime
  At(path).attached = true;
  if (moving_ && path != active_) Switch();
  if (path == active_ && on_joined_) std::exchange(on_joined_, {})();
}

void MigratingChannel::Call(StorageCall call, Done done) {
  OpenCall open;
  open.call = std::move(call);
  open.done = std::move(done);
  if (trail_ != nullptr) open.step = trail_->current();
  const uint64_t number = next_++;
  Ask(number, calls_.emplace(number, std::move(open)).first->second);
}

void MigratingChannel::Ask(uint64_t number, OpenCall& open) {
  open.path = active_;
  std::list<Time>& waiting = At(active_).waiting;
  open.since = waiting.insert(waiting.end(), EventQueue::Get().now());
  At(active_).channel->Call(open.call, [this, number, asked = ++open.asked](StorageAnswer answer) {
    OnAnswer(number, asked, std::move(answer));
  });
}

/// Repeats calls in order of arrival, each from its waiting place.
void MigratingChannel::AskAgain(Path from) {
  const uint64_t before = trail_ == nullptr ? 0 : trail_->current();
  const Time now = EventQueue::Get().now();
  for (auto& [number, open] : calls_) {
    if (open.path != from) continue;
    At(from).waiting.erase(open.since);
    ++asked_again_;
    if (trail_ != nullptr)
      trail_->SetCurrent(open.step = trail_->Add(open.step, OperationPart::connection, now, now));
    Ask(number, open);
  }
  if (trail_ != nullptr) trail_->SetCurrent(before);
}

void MigratingChannel::OnAnswer(uint64_t number, uint32_t asked, StorageAnswer answer) {
  const auto at = calls_.find(number);
  if (at == calls_.end() || at->second.asked != asked) {
    late_ += answer.status != OperationStatus::failed;  // a failed answer only reports that the leg ended
    return;
  }
  OpenCall& open = at->second;
  const Path path = open.path;
  At(path).waiting.erase(open.since);
  // Calls of a leg that fails while it drains are repeated on the other leg.
  if (answer.status == OperationStatus::failed && path != active_ && !closed_) {
    ++asked_again_;
    Ask(number, open);
    return CloseIfIdle(path);
  }
  bytes_[static_cast<size_t>(path)] += open.call.length;
  answer.retries += open.asked - 1;
  const Done done = std::move(open.done);
  calls_.erase(at);
  CloseIfIdle(path);
  done(std::move(answer));
}

void MigratingChannel::CloseIfIdle(Path path) {
  End& end = At(path);
  if (path == active_ || !end.open || end.kept || !end.waiting.empty() || moving_) return;
  end.open = end.attached = false;
  end.channel->Close();
}

void MigratingChannel::Switch() {
  const Path from = active_;
  active_ = Other(from);
  moving_ = false;
  At(active_).kept = false;
  ++moves_[static_cast<size_t>(active_)];
  if (!joined(from)) AskAgain(from);  // the leg would not drain
  CloseIfIdle(from);
}

void MigratingChannel::Move() {
  if (moving_ || closed_) return;
  moving_ = true;
  const Path to = Other(active_);
  OpenPath(to);
  if (moving_ && At(to).attached) Switch();
}

void MigratingChannel::Abandon() {
  if (closed_) return;
  const Path from = active_;
  OpenPath(Other(from));
  if (active_ != from) return StopDraining();  // a move waited only for this
  moving_ = true;  // the old leg stays open until its calls have moved to the other
  active_ = Other(from);
  ++moves_[static_cast<size_t>(active_)];
  At(active_).kept = false;
  AskAgain(from);
  moving_ = false;
  CloseIfIdle(from);
}

void MigratingChannel::StopDraining() {
  const Path from = Other(active_);
  AskAgain(from);
  CloseIfIdle(from);
}

void MigratingChannel::TryOther() {
  if (closed_) return;
  At(Other(active_)).kept = true;
  OpenPath(Other(active_));
}

void MigratingChannel::StopTrying() {
  At(Other(active_)).kept = false;
  CloseIfIdle(Other(active_));
}

void MigratingChannel::Close() {
  if (std::exchange(closed_, true)) return;
  moving_ = false;
  for (End& end : ends_) {
    end.attached = end.kept = false;
    if (std::exchange(end.open, false)) end.channel->Close();
  }
}

void MigratingChannel::Count(StorageRecord& record) const {
  for (const End& end : ends_) end.channel->Count(record);
  StorageRecord::Failover& f = record.failover;
  f.back += moves_[static_cast<size_t>(Path::main)];
  f.away += moves_[static_cast<size_t>(Path::standby)];
  f.main_bytes += bytes_[static_cast<size_t>(Path::main)];
  f.standby_bytes += bytes_[static_cast<size_t>(Path::standby)];
  f.asked_again += asked_again_;
  f.late += late_;
}

void MigratingChannel::ForEachQueuePair(const UseQueuePair& use) const {
  for (const End& end : ends_) end.channel->ForEachQueuePair(use);
}

}  // namespace headroom

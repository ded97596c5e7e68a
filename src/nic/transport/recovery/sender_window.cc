#include "nic/transport/recovery/sender_window.h"

#include <algorithm>
#include <utility>

namespace headroom {

PeerBuffer& SenderWindow::Buffer() {
  if (buffer_ == nullptr) {
    buffer_ = &buffers_[r_.peer];
    buffer_->users.push_back(this);
  }
  return *buffer_;
}

void SenderWindow::OnPosted(Requester&) {
  if (p_.connects) requests_.Ask();
}

bool SenderWindow::MayBegin(Requester&, const SendRequest& request) {
  if (!p_.connects || request.IsRead()) return true;
  requests_.Ask();
  return requests_.Granted(request.first_psn);
}

void SenderWindow::OnExecuted(Requester&) {
  if (p_.connects) requests_.OnExecuted();
}

bool SenderWindow::MayGo(Requester&) {
  PeerBuffer& buffer = Buffer();
  if (!buffer.stalled && buffer.used < static_cast<size_t>(p_.packets)) return true;
  if (!std::exchange(waits_, true)) {
    buffer.waiting.push_back(this);
    r_.shut_at = r_.limiter.eligible;
  }
  return false;
}

void SenderWindow::OnMade(Requester&, const SendRequest& request, uint64_t psn, Frame&) {
  if (request.IsRead() || psn < last_kept_) return;  // part of a READ, or sent before
  last_kept_ = psn + 1;
  kept_.push_back(psn);
  ++Buffer().used;
}

/// The ACK may name a packet that arrived out of order.
void SenderWindow::OnAck(Requester& r, const Frame& ack) {
  const uint64_t below = WholePsn(ack.psn + 1, r.una_psn);
  FreeBelow(below);
  const FrameExtension* const e = r.nic().pool().ExtensionOf(ack);
  if (e == nullptr || e->arrived <= below) return;
  const auto named = std::ranges::lower_bound(kept_, e->arrived);
  if (named == kept_.end() || *named != e->arrived) return;
  kept_.erase(named);
  repeats_.Remove(e->arrived, e->arrived + 1);
  KeepTimer();
  Free(1);
}

void SenderWindow::OnAcknowledged(Requester& r) {
  FreeBelow(r.executed_to());
  responses_.Done(r.una_psn);
  OnExecuted(r);
  KeepTimer();
}

void SenderWindow::FreeBelow(uint64_t psn) {
  size_t packets = 0;
  for (; !kept_.empty() && kept_.front() < psn; ++packets) kept_.pop_front();
  if (packets > 0) Free(packets);
}

/// The buffer has room again. After a stall it is empty.
void SenderWindow::Free(size_t packets) {
  PeerBuffer& buffer = Buffer();
  buffer.used -= packets;
  if (buffer.used == 0) buffer.stalled = false;
  if (buffer.stalled) return;
  // With nothing in flight, no answer would wake the queue pairs that still wait.
  size_t wake = buffer.used == 0 ? buffer.waiting.size() : static_cast<size_t>(p_.packets) - buffer.used;
  for (wake = std::min(wake, buffer.waiting.size()); wake > 0; --wake) {
    SenderWindow* const next = buffer.waiting.front();
    buffer.waiting.pop_front();
    next->waits_ = false;
    next->r_.opened_at = next->r_.nic().now();
    next->r_.Resume();
  }
}

/// All queue pairs of the peer share one timeout. Requests without an answer are repeated with it.
void SenderWindow::RepeatOldest(Requester&) {
  PeerBuffer& buffer = Buffer();
  buffer.stalled = buffer.used > 0;
  RepeatReads();
  for (SenderWindow* const user : buffer.users) user->RepeatKept();
  for (ContextRequests::Asked& asked : requests_.asked()) {
    if (requests_.Overdue(asked)) requests_.AskAgain(asked);
  }
  KeepTimer();
}

/// The timer restarts with the first repetition. Without one it runs on.
void SenderWindow::KeepTimer() {
  if (repeats_.Empty(r_) && r_.una_psn < r_.high_psn) r_.AwaitAnswer();
}

void SenderWindow::RepeatKept() {
  if (kept_.empty()) return;
  r_.rto_deadline = kNever;
  for (const uint64_t psn : kept_) repeats_.Add(psn, psn + 1);
  r_.Resume();
}

/// Requests missing responses again. As long as responses arrive, it requests only those that others have
/// overtaken.
void SenderWindow::RepeatReads() {
  const Time now = r_.nic().now();
  const uint64_t reach = now - heard_ < p_.timer ? responses_.in().LostBelow(now) : r_.high_psn;
  for (uint32_t i = 0; i < r_.requests.Size(); ++i) {
    const SendRequest& read = r_.requests[i];
    const uint64_t end = std::min(read.first_psn + read.packets, reach);
    if (!read.IsRead()) continue;
    for (uint64_t psn = std::max(read.first_psn, r_.una_psn); psn < end; ++psn) {
      const uint64_t hole = std::exchange(psn, responses_.EndOfHole(psn, end));
      repeats_.Add(hole, psn);
    }
  }
}

void SenderWindow::OnReadResponse(Requester& r, const Frame& frame) {
  heard_ = r.nic().now();
  if (responses_.Take(r, frame)) r.Resume();
}

void SenderWindow::Forget() {
  const size_t packets = kept_.size();
  kept_.clear();
  last_kept_ = 0;
  repeats_.Clear();
  responses_.Clear();
  requests_.Forget();
  heard_ = Time{};
  if (buffer_ == nullptr) return;
  std::erase(buffer_->users, this);
  EraseIf(buffer_->waiting, [this](const SenderWindow* window) { return window == this; });
  waits_ = false;
  if (packets > 0) Free(packets);
  buffer_ = nullptr;
}

}  // namespace headroom

#include "pfc/pause_receiver.h"

namespace headroom {

void PauseReceiver::Setup(Port* port, Time response) {
  port_ = port;
  response_ = response;
}

void PauseReceiver::Receive(const Frame& pfc) {
  EventQueue& queue = EventQueue::Get();
  const Time until = queue.now() + QuantaTime(pfc.pfc.quanta, port_->rate_now());
  for (int p = 0; p < kPriorities; ++p) {
    if (((pfc.pfc.xoff & honoured_) >> p) & 1) pauses_.Make()[p].until = until;
  }
  ArmExpiry();  // needed for a pause that is shortened
  if (response_ == Time{}) return Apply(pfc.pfc.xoff, pfc.pfc.xon, pfc.pauses_begun);
  const uint64_t content = (uint64_t{pfc.pauses_begun} << 40) | (uint64_t{resets_} << 24) |
                           (uint64_t{pfc.pfc.xon} << 16) | (uint64_t{pfc.pfc.xoff} << 8);
  queue.PushTarget(queue.now() + response_, TimedEvent::Order(EventClass::pfc, port_->entity(), kEffect),
                   this, content | kEffect);
}

void PauseReceiver::SetQueues(const std::array<uint8_t, kPriorities>& queue_of) {
  for (int p = 0; p < kPriorities; ++p) queue_of_.Set(p, queue_of[p]);
}

void PauseReceiver::Honour(uint8_t priorities) {
  honoured_ = priorities;
  for (int p = 0; p < kPriorities; ++p) {
    if (((asked_ & ~priorities) >> p) & 1) Resume(p);
  }
}

void PauseReceiver::Apply(uint8_t xoff, uint8_t xon, uint32_t number) {
  const Time now = EventQueue::Get().now();
  xoff &= honoured_;
  for (int p = 0; p < kPriorities; ++p) {
    const auto bit = static_cast<uint8_t>(1u << p);
    if ((xoff & bit) != 0) {
      if ((*pauses_)[p].until <= now) continue;  // the pause ended before it stopped anything
      Pauses& pauses = pauses_.Make()[p];
      const bool again = asked(p);
      if (!again) pauses.since = now;
      asked_ |= bit;
      pauses.number = number & PauseChange::kNumbers;
      Act(p, again ? PauseChange::Kind::refresh : PauseChange::Kind::begin);
    } else if ((xon & bit) != 0 && asked(p)) {
      Resume(p);
    }
  }
  ArmExpiry();
}

void PauseReceiver::Resume(int priority) {
  asked_ &= static_cast<uint8_t>(~(1u << priority));
  Pauses& pauses = pauses_.Make()[priority];
  pauses.duration += EventQueue::Get().now() - pauses.since;
  ++pauses.ended;
  if (((ignored_ >> priority) & 1) == 0) Act(priority, PauseChange::Kind::end);
}

/// Applies the peer's request, or the decision to ignore it, to the queue.
void PauseReceiver::Act(int priority, PauseChange::Kind kind) {
  const bool ends = kind == PauseChange::Kind::end;
  if (!ends && ((ignored_ >> priority) & 1) != 0) return;
  port_->NotePause({static_cast<uint8_t>(priority), false, kind, 0, false, (*pauses_)[priority].number});
  // Another paused priority may stop the same queue.
  bool paused = false;
  for (int p = 0; p < kPriorities; ++p)
    paused |= ((this->paused() >> p) & 1) != 0 && queue_of_[p] == queue_of_[priority];
  port_->SetPaused(queue_of_[priority], paused);
}

void PauseReceiver::Ignore(int priority, bool ignored) {
  const auto bit = static_cast<uint8_t>(1u << priority);
  if (((ignored_ & bit) != 0) == ignored) return;
  ignored_ ^= bit;
  if (asked(priority)) Act(priority, ignored ? PauseChange::Kind::end : PauseChange::Kind::begin);
}

void PauseReceiver::Reset() {
  ++resets_;
  for (int p = 0; p < kPriorities; ++p) {
    if (asked(p)) Resume(p);
  }
}

Time PauseReceiver::duration(int priority) const {
  const Pauses& pauses = (*pauses_)[priority];
  const Time so_far = asked(priority) ? EventQueue::Get().now() - pauses.since : Time{};
  return pauses.duration + so_far;
}

void PauseReceiver::ArmExpiry() {
  Time first = kNever;
  for (int p = 0; p < kPriorities; ++p) {
    if (asked(p)) first = std::min(first, (*pauses_)[p].until);
  }
  // A refresh moves the expiry back: the pending event then finds no expired pause and arms the next.
  if (first >= expiry_at_) return;
  expiry_at_ = first;
  EventQueue::Get().PushTarget(first, TimedEvent::Order(EventClass::pfc, port_->entity(), kExpiry), this,
                               kExpiry);
}

void PauseReceiver::OnEvent(uint64_t arg) {
  if ((arg & 0xff) == kEffect) {
    if (static_cast<uint16_t>(arg >> 24) != resets_) return;
    return Apply(static_cast<uint8_t>(arg >> 8), static_cast<uint8_t>(arg >> 16),
                 static_cast<uint32_t>(arg >> 40));
  }
  const Time now = EventQueue::Get().now();
  if (now != expiry_at_) return;
  expiry_at_ = kNever;
  for (int p = 0; p < kPriorities; ++p) {
    if (asked(p) && (*pauses_)[p].until <= now) Resume(p);
  }
  ArmExpiry();
}

}  // namespace headroom

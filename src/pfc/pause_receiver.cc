#include "pfc/pause_receiver.h"

namespace headroom {

void PauseReceiver::Setup(Port* port, Time response) {
  port_ = port;
  response_ = response;
}

void PauseReceiver::Receive(const Frame& pfc) {
  if (response_ == Time{}) return Apply(pfc.pfc.xoff, pfc.pfc.xon, pfc.pfc.quanta);
  EventQueue& queue = EventQueue::Get();
  const uint64_t content =
      (uint64_t{pfc.pfc.quanta} << 32) | (uint64_t{pfc.pfc.xon} << 24) | (uint64_t{pfc.pfc.xoff} << 16);
  queue.PushTarget(queue.now() + response_, TimedEvent::Order(EventClass::pfc, port_->entity(), kEffect),
                   this, content | kEffect);
}

void PauseReceiver::SetQueues(const std::array<uint8_t, kPriorities>& queue_of) {
  for (int p = 0; p < kPriorities; ++p) queue_of_.Set(p, queue_of[p]);
}

void PauseReceiver::Honour(uint8_t priorities) {
  honoured_ = priorities;
  for (int p = 0; p < kPriorities; ++p) {
    if (((paused_ & ~priorities) >> p) & 1) Resume(p);
  }
}

void PauseReceiver::Apply(uint8_t xoff, uint8_t xon, uint16_t quanta) {
  const Time now = EventQueue::Get().now();
  xoff &= honoured_;
  for (int p = 0; p < kPriorities; ++p) {
    const unsigned bit = 1u << p;
    if ((xoff & bit) != 0) {
      until_[p] = now + QuantaTime(quanta, port_->rate());
      const bool again = (paused_ & bit) != 0;
      port_->NotePause(
          {static_cast<uint8_t>(p), false, again ? PauseChange::Kind::refresh : PauseChange::Kind::begin, 0});
      paused_ |= static_cast<uint8_t>(bit);
      port_->SetPaused(queue_of_[p], true);
    } else if ((xon & bit) != 0 && (paused_ & bit) != 0) {
      Resume(p);
    }
  }
  ArmExpiry();
}

void PauseReceiver::Resume(int priority) {
  port_->NotePause({static_cast<uint8_t>(priority), false, PauseChange::Kind::end, 0});
  paused_ &= static_cast<uint8_t>(~(1u << priority));
  // Another paused priority may stop the same queue.
  bool paused = false;
  for (int p = 0; p < kPriorities; ++p)
    paused |= ((paused_ >> p) & 1) != 0 && queue_of_[p] == queue_of_[priority];
  if (!paused) port_->SetPaused(queue_of_[priority], false);
}

void PauseReceiver::ArmExpiry() {
  Time first = kNever;
  for (int p = 0; p < kPriorities; ++p) {
    if ((paused_ >> p) & 1) first = std::min(first, until_[p]);
  }
  // A refresh moves the expiry back: the pending event then finds nothing due and arms the next.
  if (first >= expiry_at_) return;
  expiry_at_ = first;
  EventQueue::Get().PushTarget(first, TimedEvent::Order(EventClass::pfc, port_->entity(), kExpiry), this,
                               kExpiry);
}

void PauseReceiver::OnEvent(uint64_t arg) {
  if ((arg & 0xffff) == kEffect) {
    return Apply(static_cast<uint8_t>(arg >> 16), static_cast<uint8_t>(arg >> 24),
                 static_cast<uint16_t>(arg >> 32));
  }
  const Time now = EventQueue::Get().now();
  if (now != expiry_at_) return;
  expiry_at_ = kNever;
  for (int p = 0; p < kPriorities; ++p) {
    if (((paused_ >> p) & 1) != 0 && until_[p] <= now) Resume(p);
  }
  ArmExpiry();
}

}  // namespace headroom

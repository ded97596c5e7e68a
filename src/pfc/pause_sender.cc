#include "pfc/pause_sender.h"

namespace headroom {

void PauseSender::Setup(Port* port, const PfcParameters& parameters) {
  port_ = port;
  quanta_ = parameters.quanta;
  refresh_ = parameters.refresh.value_or(QuantaTime(parameters.quanta, port->rate()) / 2);
}

void PauseSender::Xoff(int priority, int64_t group_bytes) {
  const auto bit = static_cast<uint8_t>(1u << priority);
  xoff_ |= bit;
  port_->NotePause({static_cast<uint8_t>(priority), true, PauseChange::Kind::begin, group_bytes});
  port_->SendPfc(bit, 0, quanta_);
  due_[priority] = EventQueue::Get().now() + refresh_;
  ArmRefresh();
}

void PauseSender::Xon(int priority) {
  const auto bit = static_cast<uint8_t>(1u << priority);
  xoff_ &= static_cast<uint8_t>(~bit);
  port_->NotePause({static_cast<uint8_t>(priority), true, PauseChange::Kind::end, 0});
  port_->SendPfc(0, bit, quanta_);
}

void PauseSender::ArmRefresh() {
  Time first = kNever;
  for (int p = 0; p < kPriorities; ++p) {
    if ((xoff_ >> p) & 1) first = std::min(first, due_[p]);
  }
  if (first >= refresh_at_) return;
  refresh_at_ = first;
  EventQueue::Get().PushTarget(first, TimedEvent::Order(EventClass::pfc, port_->entity(), kRefresh), this,
                               kRefresh);
}

void PauseSender::OnEvent(uint64_t) {
  const Time now = EventQueue::Get().now();
  if (now != refresh_at_) return;
  refresh_at_ = kNever;
  uint8_t mask = 0;
  for (int p = 0; p < kPriorities; ++p) {
    if (((xoff_ >> p) & 1) == 0 || due_[p] > now) continue;
    mask |= static_cast<uint8_t>(1u << p);
    due_[p] = now + refresh_;
    port_->NotePause({static_cast<uint8_t>(p), true, PauseChange::Kind::refresh, 0});
  }
  if (mask != 0) port_->SendPfc(mask, 0, quanta_);
  ArmRefresh();
}

}  // namespace headroom

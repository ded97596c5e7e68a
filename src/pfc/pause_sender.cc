#include "pfc/pause_sender.h"

namespace headroom {

void PauseSender::Setup(Port* port, const PfcParameters& parameters) {
  port_ = port;
  quanta_ = parameters.quanta;
  refresh_ = parameters.refresh.value_or(QuantaTime(parameters.quanta, port->rate()) / 2);
}

void PauseSender::Note(uint8_t priorities, PauseChange::Kind kind, int64_t group_bytes) {
  for (uint8_t p = 0; p < kPriorities; ++p) {
    if ((priorities >> p) & 1) port_->NotePause({p, true, kind, group_bytes});
  }
}

void PauseSender::Xoff(uint8_t priorities, int64_t group_bytes) {
  xoff_ |= priorities;
  Begin(priorities & spoken(), group_bytes);
}

void PauseSender::Begin(uint8_t priorities, int64_t group_bytes) {
  if (priorities == 0) return;
  Note(priorities, PauseChange::Kind::begin, group_bytes);
  port_->SendPfc(priorities, 0, quanta_);
  for (int p = 0; p < kPriorities; ++p) {
    if ((priorities >> p) & 1) due_.Make()[p] = EventQueue::Get().now() + refresh_;
  }
  ArmRefresh();
}

void PauseSender::Xon(uint8_t priorities) {
  const auto ending = static_cast<uint8_t>(priorities & spoken());
  xoff_ &= static_cast<uint8_t>(~priorities);
  if (ending == 0) return;
  Note(ending, PauseChange::Kind::end, 0);
  port_->SendPfc(0, ending, quanta_);
}

void PauseSender::Mute(uint8_t priorities) {
  Note(priorities & spoken(), PauseChange::Kind::end, 0);
  muted_ |= priorities;
  for (int p = 0; p < kPriorities; ++p) mutes_[p] = static_cast<uint8_t>(mutes_[p] + ((priorities >> p) & 1));
}

void PauseSender::Unmute(uint8_t priorities) {
  uint8_t freed = 0;
  for (int p = 0; p < kPriorities; ++p) {
    if (((priorities >> p) & 1) != 0 && --mutes_[p] == 0) freed |= static_cast<uint8_t>(1u << p);
  }
  muted_ &= static_cast<uint8_t>(~freed);
  Begin(freed & spoken(), 0);
}

void PauseSender::ArmRefresh() {
  Time first = kNever;
  for (int p = 0; p < kPriorities; ++p) {
    if ((spoken() >> p) & 1) first = std::min(first, (*due_)[p]);
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
    if (((spoken() >> p) & 1) == 0 || (*due_)[p] > now) continue;
    mask |= static_cast<uint8_t>(1u << p);
    due_.Make()[p] = now + refresh_;
  }
  Note(mask, PauseChange::Kind::refresh, 0);
  if (mask != 0) port_->SendPfc(mask, 0, quanta_);
  ArmRefresh();
}

}  // namespace headroom

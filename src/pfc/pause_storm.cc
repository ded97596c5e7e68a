#include "pfc/pause_storm.h"

#include <algorithm>

namespace headroom {

PauseStorm::PauseStorm(const PauseStormParameters& parameters, Port* port, PauseSender* sender,
                       EntityId entity)
    : parameters_(parameters),
      port_(port),
      sender_(sender),
      entity_(entity),
      // The interval is at least the time that the frames need to leave.
      interval_(std::max(parameters.interval.value_or(QuantaTime(parameters.quanta, port->rate()) / 2),
                         SerializationTime(Bytes(64 + port->timing().gap()), port->rate()))),
      named_(parameters.frames == PauseStormParameters::Frames::pfc ? parameters.priorities : uint8_t{0}),
      pauses_(named_ != 0 && parameters.quanta > 0) {}

void PauseStorm::Start() {
  running_ = true;
  // Otherwise the node's own pauses and resumes of these priorities would intervene.
  if (pauses_) sender_->Mute(named_);
  Note(PauseChange::Kind::begin);
  Send();
}

void PauseStorm::Send() {
  // Behind a long frame, one waiting pause frame is enough.
  if (!port_->PfcWaits())
    port_->SendPfc(pauses_ ? named_ : uint8_t{0}, pauses_ ? uint8_t{0} : named_, parameters_.quanta);
  next_ = EventQueue::Get().now() + interval_;
  EventQueue::Get().PushTarget(next_, TimedEvent::Order(EventClass::fault, entity_, 1), this, 0);
}

void PauseStorm::Stop() {
  running_ = false;
  next_ = kNever;
  if (pauses_ && parameters_.xon) port_->SendPfc(0, named_, 0);
  Note(PauseChange::Kind::end);
  if (pauses_) sender_->Unmute(named_);
}

void PauseStorm::OnEvent(uint64_t) {
  if (!running_ || EventQueue::Get().now() != next_) return;
  Note(PauseChange::Kind::refresh);
  Send();
}

void PauseStorm::Note(PauseChange::Kind kind) {
  for (int p = 0; p < kPriorities && pauses_; ++p) {
    if (((named_ >> p) & 1) != 0) port_->NotePause({static_cast<uint8_t>(p), true, kind, 0, true});
  }
}

}  // namespace headroom

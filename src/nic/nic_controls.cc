// Of Nic: congestion controls other than DCQCN. What each wants to hear, and what it sets.
#include <algorithm>

#include "nic/nic.h"

namespace headroom {

/// Its control is new, or begins anew. What a host sends to itself passes no network and needs none.
void Nic::BeginControl(Requester& r) {
  r.controlled = config_.parameters.HasControl() && r.transport == Transport::rc && r.peer != config_.host;
  if (!r.controlled) return;
  if (controls_.size() <= r.number()) controls_.resize(r.number() + 1);
  Controlled& c = controls_[r.number()];
  if (c.control == nullptr) c.control = config_.parameters.control->Make();
  c.path = config_.path(r.peer, r.source_port);
  c.last_bytes = 0;
  c.control->Begin(c.path);
  r.rate.current = std::min(c.control->rate(), port_->rate());
  Apply(r, false);
}

/// A frame of the queue pair starts.
void Nic::PrepareControlled(Requester& r, Frame& frame, int64_t wire_bytes) {
  Controlled& c = controls_[r.number()];
  c.last_bytes = wire_bytes;
  if (c.control->ReadsAcks() && !IsReadRequest(frame.opcode) && !IsReadResponse(frame.opcode)) {
    frame.ect = true;
    if (c.control->Wants(Control::kRoundTrips | Control::kTelemetry)) {
      Feedback& feedback = pool_->BeginFeedback(frame, config_.parameters.control->records());
      feedback.bytes = static_cast<uint16_t>(constants_.frames.feedback);
      feedback.sent = now();
    }
  }
  if (!c.control->Wants(Control::kSent)) return;
  c.control->OnSent(now(), wire_bytes);
  Apply(r, false);
}

/// The ACK's frame takes along what the data frame has gathered.
void Nic::BringBack(Frame& ack) {
  if (gathered_ == nullptr) return;
  Feedback& feedback = pool_->PassFeedback(*gathered_, ack);
  feedback.held = now() - Came();
  feedback.hops = gathered_->hops;
  ack.bytes = static_cast<uint16_t>(constants_.frames.AckWith(feedback.bytes).v);
  gathered_ = nullptr;
}

void Nic::OnControlledAck(Requester& r, const Frame& frame, uint64_t una) {
  if (frame.generation != r.generation || r.phase == Requester::Phase::stopped) return;
  Control& control = *controls_[r.number()].control;
  if (!control.ReadsAcks()) return;
  Acknowledgement ack{.now = now(), .una = una, .next = r.next_psn, .in_host = now() - Came()};
  if (una > r.una_psn && una <= r.high_psn) ack.packets = una - r.una_psn;
  if (frame.echo) ack.marked = ack.packets;
  ack.feedback = pool_->FeedbackOf(frame);
  control.OnAck(ack);
  Apply(r, false);
}

/// A CNP, or an ACK with a mark. False: it is nothing that its control hears of.
bool Nic::Notify(Requester& r, uint16_t generation) {
  Control& control = *controls_[r.number()].control;
  if (control.ReadsAcks()) return true;  // the mark is part of the ACK
  if (!control.Wants(Control::kNotifications) || generation != r.generation) return false;
  ++counters_.cnp_handled;
  const Rate before = r.rate.current;
  control.OnNotification(now());
  Apply(r, true);
  notification_trace_(*this, r.number(), r.rate.current < before);
  return true;
}

void Nic::OnLoss(Requester& r, Loss loss) {
  Control& control = *controls_[r.number()].control;
  if (!control.Wants(Control::kLosses)) return;
  control.OnLoss(now(), loss);
  Apply(r, false);
}

void Nic::OnControlTimer(Requester& r) {
  Control& control = *controls_[r.number()].control;
  if (control.timer() == now()) control.OnTimer(now());
  Apply(r, true);
}

/// What the control says holds from now on. `resumes`: a window that opened lets the queue pair send.
void Nic::Apply(Requester& r, bool resumes) {
  const Controlled& c = controls_[r.number()];
  const Rate before = r.rate.current, rate = std::min(c.control->rate(), r.rate.line);
  if (rate != before) {
    r.rate.current = rate;
    if (rate < before) r.rate.last_cut = now();
    if (c.control->rescales()) RescaleWait(r, before);
    rate_trace_(r.number(), now(), rate);
  }
  const uint64_t window = std::max(c.path.least, std::min(c.path.window, c.control->window()));
  const bool opens = window > r.window;
  r.window = window;
  const Time due = c.control->timer();
  if (due < r.rate_event) {
    r.rate_event = due;
    Arm(NicTimer::rate, r.number(), due);
  }
  if (opens && resumes) {
    r.NoteWindow();
    r.Resume();
  }
}

/// The wait after the last frame is as long as the new rate has it.
void Nic::RescaleWait(Requester& r, Rate before) {
  const Bytes last(controls_[r.number()].last_bytes);
  if (r.limiter.eligible <= now()) return;
  r.limiter.eligible = std::max(
      now(), r.limiter.eligible - SerializationTime(last, before) + SerializationTime(last, r.rate.current));
  if (r.state == Requester::State::pacing) MoveUp(r);
}

}  // namespace headroom

// Part of Nic: congestion controls other than DCQCN. It passes events to each control, and applies the
// control's values.
#include <algorithm>

#include "congestion/telemetry.h"
#include "nic/nic.h"
#include "sim/whole_ns.h"

namespace headroom {

/// The control of a queue pair is created, or restarts. Traffic of a host to itself needs no control, because
/// it does not use the network.
void Nic::BeginControl(Requester& r) {
  r.controlled = parameters_->HasControl() && r.transport == Transport::rc && r.peer != host_;
  if (!r.controlled) return;
  if (controls_.size() <= r.number()) controls_.resize(r.number() + 1);
  Controlled& c = controls_[r.number()];
  if (c.control == nullptr) c.control = parameters_->control->Make();
  c.path = paths_->path(r.peer, r.source_port);
  c.last_bytes = 0;
  c.counted = r.una_psn;
  c.made = c.acknowledged = 0;
  c.runs.Clear();
  c.quiet_at = {};
  c.control->Begin(c.path);
  r.rate.current = std::min(c.control->rate(), ports_[0]->rate());
  Apply(r, false);
}

/// A frame of the queue pair starts.
void Nic::PrepareControlled(Requester& r, Frame& frame, int64_t wire_bytes) {
  Controlled& c = controls_[r.number()];
  c.last_bytes = wire_bytes;
  c.last_start = now();
  const bool asks = IsReadRequest(frame.opcode);
  const bool responds = IsReadResponse(frame.opcode);
  if (responds) {
    if (c.control->ReadsAcks()) c.NoteResponse(frame.psn);
    c.quiet_at = now() + c.path.round_trip;
  }
  if (c.control->ReadsAcks() && !asks) {
    frame.data.reads_acks = true;
    if (c.control->Wants(Control::kRoundTrips | Control::kTelemetry)) {
      const Telemetry* const telemetry = parameters_->control->telemetry();
      Feedback& feedback = telemetry == nullptr
                               ? pool_->BeginFeedback(frame, 0, 0)
                               : pool_->BeginFeedback(frame, telemetry->records(), telemetry->kind());
      feedback.bytes = static_cast<uint16_t>(constants_->frames.feedback);
      feedback.sent = now();
    }
  }
  const bool hears = c.control->Wants(Control::kSent) || (!asks && c.control->Wants(Control::kCredits));
  if (hears) c.control->OnSent(now(), wire_bytes);
  if (hears || asks || responds) Apply(r, false);
}

/// Moves the data frame's feedback to the ACK.
void Nic::BringBack(Frame& ack) {
  if (gathered_ == nullptr) return;
  Feedback& feedback = pool_->PassFeedback(*gathered_, ack);
  feedback.held = now() - ArrivalTime();
  feedback.hops = gathered_->hops;
  ack.bytes = static_cast<uint16_t>(constants_->frames.AckWith(feedback.bytes).v);
  gathered_ = nullptr;
}

void Nic::OnControlledAck(Requester& r, const Frame& frame, uint64_t una) {
  NoteComing(frame);
  // A stopped queue pair may still answer READs.
  const bool of_responses = frame.kind == FrameKind::ack && frame.opcode == kResponseAckOpcode;
  if (frame.generation != r.generation || (r.phase == Requester::Phase::stopped && !of_responses)) return;
  Controlled& c = controls_[r.number()];
  if (!c.control->ReadsAcks()) return;
  Acknowledgement ack{.now = now(), .in_host = now() - ArrivalTime()};
  if (of_responses) {
    ack.packets = c.Acknowledge(frame.psn);
    una = r.una_psn;
  } else if (c.counted = std::max(c.counted, r.una_psn); una > c.counted && una <= r.high_psn) {
    ack.packets = una - c.counted - (r.ReadsBelow(una) - r.ReadsBelow(c.counted));
    c.counted = una;
  }
  ack.una = una + c.acknowledged;
  ack.next = r.next_psn + c.made;
  if (frame.ack.echoes_mark) ack.marked = ack.packets;
  ack.feedback = pool_->FeedbackOf(frame);
  c.control->OnAck(ack);
  Apply(r, of_responses);
  Scan();
}

void Nic::Controlled::NoteResponse(uint32_t psn) {
  if (runs.Empty() || psn != next_psn) runs.PushBack({psn, made});
  next_psn = psn + 1;
  ++made;
}

uint64_t Nic::Controlled::Acknowledge(uint32_t psn) {
  uint64_t end = made;
  for (uint32_t i = runs.Size(); i-- > 0; end = runs[i].made) {
    const uint32_t offset = psn - runs[i].psn;
    if (offset >= end - runs[i].made) continue;
    const uint64_t to = runs[i].made + offset + 1, before = acknowledged;
    for (; i > 0; --i) runs.PopFront();
    acknowledged = std::max(before, to);
    return acknowledged - before;
  }
  return 0;
}

/// READ responses are limited and credited like other data. A repeated READ cancels its earlier responses.
void Nic::OnReadTaken(Requester& r, bool again) {
  Controlled& c = controls_[r.number()];
  if (again) {
    c.acknowledged = c.made;
    c.runs.Clear();
    OnLoss(r, Loss::refused);
  }
  OnBacklog(r);
  Apply(r, false);
}

/// A READ response whose sender's control reads ACKs. InfiniBand has no ACKs for READ responses; IRN has
/// (Mittal et al., SIGCOMM 2018, section 5.2). These ACKs are sent, and echo marks, like those of other data.
void Nic::OnFlaggedResponse(Requester& r, Frame& frame) {
  if (response_acks_.size() <= r.number()) response_acks_.resize(r.number() + 1);
  ResponseAcks& acks = response_acks_[r.number()];
  if (acks.generation != frame.generation) acks = {.generation = frame.generation};
  Responder& twin = *r.responder();
  if (acks.packets > 0 && acks.marked != frame.ce) AcknowledgeResponses(twin, acks, 0);
  if (frame.ce) CountMarked(frame);
  acks.marked = frame.ce;
  acks.psn = frame.psn;
  ++acks.packets;
  if (frame.data.last || acks.packets >= static_cast<uint32_t>(constants_->transport.ack_every)) {
    if (pool_->FeedbackOf(frame) != nullptr) gathered_ = &frame;
    AcknowledgeResponses(twin, acks, Responder::kFeedback);
    gathered_ = nullptr;
  }
  r.OnReadResponse(frame);
  if (r.controlled) Apply(r, false);
}

void Nic::AcknowledgeResponses(Responder& twin, ResponseAcks& acks, uint8_t echoes) {
  acks.packets = 0;
  if (acks.marked) echoes |= Responder::kMark;
  SendNow(twin.MakeControl(FrameKind::ack, acks.psn, echoes, kResponseAckOpcode));
}

/// A CNP, or an ACK with a mark, arrived. Returns false if the control is not notified.
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

/// The control's values take effect from now on. `resumes`: a window that opened lets the queue pair send.
void Nic::Apply(Requester& r, bool resumes) {
  Controlled& c = controls_[r.number()];
  const Rate before = r.rate.current, rate = std::min(c.control->rate(), r.rate.line);
  if (rate != before) {
    r.rate.current = rate;
    if (rate < before) r.rate.last_cut = now();
    if (c.control->rescales()) RescaleWait(r, before);
    rate_trace_(r.number(), now(), rate);
  }
  if (c.control->paces_from_start()) PaceFromStart(r);
  // The window counts only data that the queue pair sends, not the data that it READs. Requests and responses
  // count separately.
  const uint64_t wanted = c.control->window();
  uint64_t window = wanted == 0 ? 0 : std::max(c.path.least, std::min(c.path.window, wanted));
  const bool holds = c.made - c.acknowledged >= window;
  if (window > 0) window = std::min(c.path.window, window + r.ReadsBelow(r.next_psn));
  const bool opens = window > r.window || (r.holds_answers && !holds);
  if (holds != r.holds_answers) (holds ? c.held_at : c.freed_at) = now();
  r.holds_answers = holds;
  r.window = window;
  const Time due = c.control->timer();
  if (due < r.rate_event) {
    r.rate_event = due;
    Arm(NicTimer::rate, r.number(), due);
  }
  if (const Control::Ask ask = c.control->TakeAsk(); ask != Control::Ask::none) AskForCredits(r, ask);
  if (opens && resumes) {
    r.NoteWindow();
    r.Resume();
  }
}

/// A window allows one window per base round trip; if packets queue, less is sent.
Rate Nic::AllowedRate(const Requester& r) const {
  if (!r.controlled) return r.rate.current;
  const ControlPath& path = controls_[r.number()].path;
  const double bits = 8.0 * static_cast<double>(r.window) * static_cast<double>(path.full.v);
  const double rate = std::min(bits / InSeconds(path.round_trip), static_cast<double>(r.rate.current.v));
  return Rate(static_cast<int64_t>(rate));
}

/// The wait after the last frame takes the length that the new rate gives it.
void Nic::RescaleWait(Requester& r, Rate before) {
  const Bytes last(controls_[r.number()].last_bytes);
  if (parameters_->dcqcn.limiter.granularity == LimiterParameters::Granularity::simulator) {
    // A wait that is over may begin again.
    r.limiter.eligible += WholeNanoseconds(last, r.rate.current) - WholeNanoseconds(last, before);
    if (r.state == Requester::State::pacing) MoveUp(r);
    if (scans_ && r.limiter.eligible < pace_at_ && pace_at_ != kNever) {
      pace_at_ = std::max(now(), r.limiter.eligible);
      Arm(NicTimer::pace, 0, pace_at_);
    }
    return;
  }
  if (r.limiter.eligible <= now()) return;
  r.limiter.eligible = std::max(
      now(), r.limiter.eligible - SerializationTime(last, before) + SerializationTime(last, r.rate.current));
  if (r.state == Requester::State::pacing) MoveUp(r);
}

/// The next frame waits its time at the new rate from the start of the last one.
void Nic::PaceFromStart(Requester& r) {
  const Controlled& c = controls_[r.number()];
  r.limiter.eligible = std::max(now(), c.last_start + SerializationTime(Bytes(c.last_bytes), r.rate.current));
  if (r.state == Requester::State::pacing) MoveUp(r);
}

}  // namespace headroom

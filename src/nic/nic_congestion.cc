// Part of Nic: congestion control. Marks become CNPs; notifications, bytes sent and timers move the queue
// pairs' rates.
#include "nic/nic.h"

namespace headroom {

/// Sets the rate of a queue pair that is created, or restarts.
void Nic::StartRate(Requester& r) {
  r.rate = Reacts(r) ? reaction_point_->Fresh(ports_[0]->rate()) : ReactionPoint::AtLine(ports_[0]->rate());
  r.limiter = {};
}

/// A frame of the queue pair starts: its limiter and its rate count the frame.
void Nic::CountSent(Requester& r, Frame& frame) {
  const int64_t wire_bytes = frame.bytes + constants_->gap;
  r.wire_bytes += wire_bytes;
  OnFrameStarted(parameters_->dcqcn.limiter, r.limiter, now(), wire_bytes, r.rate.current, ports_[0]->skew());
  if (times_ != nullptr) r.held_by = r.rate.last_cut;
  if (r.controlled) [[unlikely]]
    return PrepareControlled(r, frame, wire_bytes);
  if (reaction_point_->OnSent(r.rate, wire_bytes)) rate_trace_(r.number(), now(), r.rate.current);
}

/// Handles a packet that has a mark, or whose sender's congestion control reads ACKs, or chose its path.
void Nic::OnFlagged(Responder& s, Frame& frame) {
  if (frame.data.balanced && frame.src == s.peer) s.FollowPath(frame);
  if (frame.data.reads_acks) {
    // Echoes of marks are exact: when marks begin or end, the NIC acknowledges earlier packets immediately
    // (RFC 8257, 3.2).
    const bool marked = (s.echo & Responder::kMark) != 0;
    if (s.unacknowledged > 0 && marked != frame.ce) {
      s.echo &= Responder::kMark;
      s.Acknowledge();
    }
    if (pool_->FeedbackOf(frame) != nullptr) {
      gathered_ = &frame;
      s.echo |= Responder::kFeedback;
    }
  }
  if (frame.ce) OnMarked(s, frame);
  s.OnRequest(frame);
  gathered_ = nullptr;
  s.echo &= Responder::kMark;
  if (frame.data.reads_acks) Scan();
}

void Nic::CountMarked(const Frame& frame) {
  ++counters_.marked_packets;
  if (IsBulk(frame.message)) sink_->OnMarkedPacket(frame.message);
}

void Nic::OnMarked(Responder& s, const Frame& frame) {
  CountMarked(frame);
  if (frame.data.reads_acks) {
    s.echo |= Responder::kMark;
    return;
  }
  const NpParameters& np = notification_point_->parameters();
  if (!notifies_ || !np.priorities.Has(s.priority) || s.peer_qp == kNoPeer) return;
  if (np.coalescing == NpParameters::Coalescing::ack_flag) {
    s.echo |= Responder::kMark;
  } else if (notification_point_->OnMarked(s.np, now())) {
    ++counters_.cnp_sent;
    Frame* cnp = s.MakeControl(FrameKind::cnp, 0, false, kCnpOpcode);
    if (np.cnp_delay == Time{}) return SendNow(cnp);
    Arm(NicTimer::control, reinterpret_cast<uint64_t>(cnp), now() + np.cnp_delay);
  }
}

void Nic::OnNotification(uint32_t qp, uint16_t generation) {
  Requester& r = requesters_[qp];
  if (r.controlled && Notify(r, generation)) return;
  const bool reacts = Reacts(r);
  // A notification for the previous queue pair of this number does not concern the present path.
  if (!reacts || generation != r.generation) {
    ++counters_.cnp_ignored;
    notification_trace_(*this, qp, false);
    return;
  }
  const auto reaction = reaction_point_->OnNotification(r.rate, now());
  ++(reaction == ReactionPoint::Reaction::ignored ? counters_.cnp_ignored : counters_.cnp_handled);
  notification_trace_(*this, qp, reaction == ReactionPoint::Reaction::cut);
  if (reaction == ReactionPoint::Reaction::cut) rate_trace_(qp, now(), r.rate.current);
  ArmRate(r);
}

void Nic::ArmRate(Requester& r) {
  const Time due = r.rate.NextTimer();
  if (due >= r.rate_event) return;
  r.rate_event = due;
  Arm(NicTimer::rate, r.number(), due);
}

void Nic::OnRateTimer(Requester& r) {
  if (r.rate_event != now()) return;
  r.rate_event = kNever;
  if (r.controlled) return OnControlTimer(r);
  if (r.rate.NextTimer() == now()) {
    reaction_point_->OnTimer(r.rate, now());
    rate_trace_(r.number(), now(), r.rate.current);
  }
  ArmRate(r);
}

}  // namespace headroom

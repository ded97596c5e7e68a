// What a NIC does with the frames it receives.
#include <algorithm>

#include "nic/nic.h"

namespace headroom {

void Nic::Process(Frame* frame) {
  if (stages_ != nullptr) NoteEffect(*frame);
  counters_.delivered_bytes += frame->bytes;
  switch (frame->kind) {
    case FrameKind::data:
      IsReadResponse(frame->opcode) ? OnReadResponse(*frame) : OnData(*frame);
      break;
    case FrameKind::ack:
      OnAck(*frame);
      break;
    case FrameKind::nak:
      OnNak(*frame);
      break;
    case FrameKind::cnp:
      OnNotification(frame->qp, frame->generation);
      break;
    case FrameKind::pfc:
      break;  // never gets here: the port hands PFC to ReceivePfc
  }
  port_->pool().Give(frame);
}

void Nic::OnData(const Frame& frame) {
  if (frame.qp >= responders_.size()) {
    ++counters_.discarded_packets;
    return;
  }
  Responder& s = responders_[frame.qp];
  const TransportParameters& transport = config_.parameters.transport;
  ++counters_.data_packets;
  s.generation = frame.generation;
  if (frame.ce) OnMarked(s, frame);
  if (s.pair != nullptr) return OnRequest(frame, s);

  const uint64_t psn = WholePsn(frame.psn, s.expected_psn);
  if (psn > s.expected_psn) {
    if (s.nak_sent) return;
    s.nak_sent = true;
    ++counters_.naks;
    return SendControl(FrameKind::nak, s, s.expected_psn, false, kSequenceError);
  }
  if (psn == s.expected_psn) {
    ++s.expected_psn;
    s.nak_sent = false;
    ++s.unacknowledged;
    if (sink_->HearsPackets()) sink_->OnPacket(frame.message, frame.last);
    if (frame.last) {
      ++s.executed;
      sink_->OnDelivered(frame.message, Landed());
    }
    if (!frame.last && s.unacknowledged < static_cast<uint32_t>(transport.ack_every)) return;
  }
  // In order, or a duplicate: whatever ACK was lost, this one stands for it.
  s.unacknowledged = 0;
  SendControl(FrameKind::ack, s, s.expected_psn - 1, s.echo, kAckOpcode);
  s.echo = false;
}

void Nic::OnMarked(Responder& s, const Frame& frame) {
  ++counters_.marked_packets;
  if (frame.message != kNoMessage) sink_->OnMarkedPacket(frame.message);
  const NpParameters& np = notification_point_->parameters();
  if (!dcqcn_ || !np.priorities.Has(s.priority) || s.peer_qp == kNoPeer) return;
  if (np.coalescing == NpParameters::Coalescing::ack_flag) {
    s.echo = true;
  } else if (notification_point_->OnMarked(s.np, now())) {
    ++counters_.cnp_sent;
    SendControl(FrameKind::cnp, s, 0, false, kCnpOpcode, np.cnp_delay);
  }
}

void Nic::OnAck(const Frame& frame) {
  if (frame.echo) OnNotification(frame.qp, frame.generation);
  Requester& r = requesters_[frame.qp];
  if (r.pair == nullptr) {
    Acknowledge(frame.qp, r, WholePsn(frame.psn + 1, r.una_psn));
  } else {
    OnAnswerTo(frame.qp, r, WholePsn(frame.psn + 1, r.una_psn));
  }
}

void Nic::OnNak(const Frame& frame) {
  Requester& r = requesters_[frame.qp];
  if (r.pair != nullptr) return OnRefusal(frame, r);
  const uint64_t psn = WholePsn(frame.psn, r.una_psn);
  Acknowledge(frame.qp, r, psn);
  if (psn != r.una_psn || r.next_psn <= psn) return;  // an old one
  GoBack(frame.qp, psn, now() + config_.parameters.transport.recovery_delay);
}

/// Everything below `una` has arrived. Returns whether that was news.
bool Nic::Acknowledge(uint32_t qp, Requester& r, uint64_t una) {
  if (una <= r.una_psn || una > r.high_psn || r.state == Requester::State::failed) return false;
  r.una_psn = una;
  r.retries = 0;
  const bool running = r.rto_deadline != kNever;  // else a second try is due, and will start it
  r.rto_deadline = una == r.high_psn || !running ? kNever : now() + r.rto;
  if (r.next_psn < una) r.next_psn = una;
  if (r.limit_psn != r.end_psn) {
    r.limit_psn = std::min(r.end_psn, una + kPsnWindow);
    if (r.state == Requester::State::idle && r.pair == nullptr) {
      Activate(qp, now() + config_.parameters.tx_latency);
    }
  }
  while (!r.requests.Empty() && una - r.requests.Front().first_psn >= r.requests.Front().packets) {
    if (r.pair != nullptr) {
      if (!CompleteFront(qp, r)) break;
      continue;
    }
    const uint32_t message = r.requests.Front().message;
    r.requests.PopFront();
    if (r.cursor > 0) --r.cursor;
    CompleteBulk(message);
  }
  return true;
}

/// A message of bulk is complete. Its owner may then post more to this very queue pair.
void Nic::CompleteBulk(uint32_t message) {
  if (stages_ == nullptr) return sink_->OnCompleted(message, now());
  Arm(Timer::completed, message, stages_->costs.Complete(now(), true));
}

void Nic::OnNotification(uint32_t qp, uint16_t generation) {
  Requester& r = requesters_[qp];
  const bool reacts = dcqcn_ && reaction_point_->parameters().priorities.Has(r.priority);
  // One that is meant for the queue pair before this one says nothing about this one's path.
  if (!reacts || generation != r.generation) {
    ++counters_.cnp_ignored;
    notification_trace_(*this, qp, false);
    return;
  }
  const auto reaction = reaction_point_->OnNotification(r.rate, now());
  ++(reaction == ReactionPoint::Reaction::ignored ? counters_.cnp_ignored : counters_.cnp_handled);
  notification_trace_(*this, qp, reaction == ReactionPoint::Reaction::cut);
  if (reaction == ReactionPoint::Reaction::cut) rate_trace_(qp, now(), r.rate.current);
  ArmRate(qp);
}

}  // namespace headroom

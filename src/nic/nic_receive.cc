// Of Nic: the frames that it receives.
#include <algorithm>

#include "net/topology/routing.h"
#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

/// From here on `qp` is the number here. The first frame of a connection of bulk makes its responder, as what
/// a connection manager agreed on beforehand; a CNP for READ responses is for the requester beside it.
void Nic::Resolve(Frame& frame) {
  uint32_t number = connections_.Find(frame.src, frame.qp);
  frame.named_by_sender = false;
  if (frame.kind == FrameKind::cnp) {
    frame.qp = responders_[number].requester()->number();
  } else {
    frame.qp = number != ConnectionTable::kNone ? number : AcceptConnection(frame).number();
  }
}

/// The other end of a connection of which this is the first frame.
Responder& Nic::AcceptConnection(const Frame& first) {
  Responder& s = NewResponder(bulk_, first.priority);
  connections_.Add(first.src, first.qp, s.number());
  s.tag = first.tag;
  s.peer = first.src;
  s.peer_qp = first.qp;
  s.generation = s.newest = first.generation;
  BeginBulk(s, first.source_port);
  if (IsReadRequest(first.opcode)) {  // its responses go out at a rate of their own
    Requester& r = NewRequester(bulk_, first.priority);
    r.tag = first.tag;
    Direct(r, s.peer, s.source_port);
    r.phase = Requester::Phase::runs;
    r.SetResponder(s);
    s.SetRequester(r);
  }
  return s;
}

/// A connection of bulk began anew at its sender, by another path. What is still on its way of the old one
/// changes nothing.
void Nic::Follow(Responder& s, const Frame& frame) {
  s.generation = frame.generation;
  const bool newer = static_cast<int16_t>(frame.generation - s.newest) > 0;
  if (!IsBulk(frame.message) || !newer) return;
  s.newest = frame.generation;
  BeginBulk(s, frame.source_port);
  if (Requester* r = s.requester()) BeginBulk(*r, s.source_port);
}

void Nic::Process(Frame* frame) {
  if (stages_ != nullptr) NoteEffect(*frame);
  if (times_ != nullptr) times_->OnEffect(*frame, now());
  counters_.delivered_bytes += frame->bytes;
  switch (frame->kind) {
    case FrameKind::data:
      IsReadResponse(frame->opcode) ? OnReadResponse(*frame) : OnData(*frame);
      break;
    case FrameKind::ack:
      if (frame->echo) OnNotification(frame->qp, frame->generation);
      requesters_[frame->qp].OnAck(*frame);
      break;
    case FrameKind::nak:
      requesters_[frame->qp].OnNak(*frame);
      break;
    case FrameKind::cnp:
      OnNotification(frame->qp, frame->generation);
      break;
    case FrameKind::pfc:
      break;  // never gets here: the port hands PFC to ReceivePfc
    case FrameKind::foreign:
      if (port_->foreign() != nullptr) {
        port_->foreign()->Receive(*frame);
      } else {
        ++counters_.discarded_packets;
      }
      break;
  }
  if (times_ != nullptr) times_->OnEffectOver();
  port_->pool().Give(frame);
}

void Nic::OnData(const Frame& frame) {
  if (frame.qp >= responders_.size()) {
    ++counters_.discarded_packets;
    return;
  }
  Responder& s = responders_[frame.qp];
  ++counters_.data_packets;
  if (frame.generation != s.generation) Follow(s, frame);
  if (frame.ce) OnMarked(s, frame);
  s.OnRequest(frame);
}

void Nic::OnReadResponse(const Frame& frame) {
  Requester& r = requesters_[frame.qp];
  ++counters_.data_packets;
  if (r.phase == Requester::Phase::stopped || r.responder() == nullptr) return;
  Responder& twin = *r.responder();
  twin.generation = frame.generation;
  if (frame.ce) OnMarked(twin, frame);
  r.OnReadResponse(frame);
}

void Nic::OnMarked(Responder& s, const Frame& frame) {
  ++counters_.marked_packets;
  if (IsBulk(frame.message)) sink_->OnMarkedPacket(frame.message);
  const NpParameters& np = notification_point_->parameters();
  if (!dcqcn_ || !np.priorities.Has(s.priority) || s.peer_qp == kNoPeer) return;
  if (np.coalescing == NpParameters::Coalescing::ack_flag) {
    s.echo = true;
  } else if (notification_point_->OnMarked(s.np, now())) {
    ++counters_.cnp_sent;
    Frame* cnp = s.MakeControl(FrameKind::cnp, 0, false, kCnpOpcode);
    if (np.cnp_delay == Time{}) return SendNow(cnp);
    Arm(NicTimer::control, reinterpret_cast<uint64_t>(cnp), now() + np.cnp_delay);
  }
}

void Nic::OnNotification(uint32_t qp, uint16_t generation) {
  Requester& r = requesters_[qp];
  const bool reacts = Reacts(r);
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
  ArmRate(r);
}

}  // namespace headroom

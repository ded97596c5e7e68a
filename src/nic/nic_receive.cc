// Part of Nic: the frames that it receives, from the port to their effect.
#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

void Nic::Receive(Port& port, Frame* frame) {
  if (frame->dst != host_) {
    port.CountDrop({DropReason::no_route}, *frame);
    return port.pool().Give(frame);
  }
  if (frame->named_by_sender) Resolve(*frame);
  if (stages_ != nullptr) return Accept(port, frame);
  Effect(frame);
}

/// A frame takes effect after the host's latency.
void Nic::Effect(Frame* frame) {
  if (parameters_->rx_latency == Time{}) return Process(frame);
  events_->Push(receive_lane_,
                {now() + parameters_->rx_latency, NextOrder(), static_cast<EventTarget*>(this),
                 (static_cast<uint64_t>(NicTimer::received) << 56) | reinterpret_cast<uint64_t>(frame)});
}

void Nic::Prepare(const Port&, Frame& frame) const {
  if (frame.dst != host_) return;
  if (frame.kind == FrameKind::data && !IsReadResponse(frame.opcode)) {
    if (frame.named_by_sender && !pool_->captured()) {  // captures show the number that is on the wire
      const uint32_t number = connections_.Find(frame.src, frame.qp);
      if (number == ConnectionTable::kNone) return;
      frame.qp = number;
      frame.named_by_sender = false;
    }
    if (frame.qp < responders_.size()) __builtin_prefetch(&responders_[frame.qp]);
  } else if (frame.kind != FrameKind::foreign && !frame.named_by_sender) {
    __builtin_prefetch(&requesters_[frame.qp]);
  }
}

void Nic::ReceivePfc(Port& port, const Frame& frame) {
  pause_receiver(port.index()).Receive(frame);
  Scan();
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
      if (frame->ack.echoes_mark) OnNotification(frame->qp, frame->generation);
      requesters_[frame->qp].OnAck(*frame);
      break;
    case FrameKind::nak:
      requesters_[frame->qp].OnNak(*frame);
      break;
    case FrameKind::cnp:
      if (const Requester& r = requesters_[frame->qp];
          r.controlled && controls_[r.number()].control->ReadsAcks())
        ++counters_.cnp_ignored;  // for a READ request: marks of its data come in ACKs
      OnNotification(frame->qp, frame->generation);
      break;
    case FrameKind::ask:
      OnAsk(*frame);
      break;
    case FrameKind::grant:
      if (frame->about.credits) {
        OnCredit(*frame);
      } else {
        requesters_[frame->qp].OnGrant(*frame);
      }
      break;
    case FrameKind::pfc:
      break;  // never reached: the port passes PFC to ReceivePfc
    case FrameKind::foreign:
      if (ports_[0]->foreign() != nullptr) {
        ports_[0]->foreign()->Receive(*frame);
      } else {
        ++counters_.discarded_packets;
      }
      break;
  }
  if (times_ != nullptr) times_->OnEffectOver();
  pool_->Give(frame);
}

void Nic::OnData(Frame& frame) {
  if (frame.qp >= responders_.size()) {
    ++counters_.discarded_packets;
    return;
  }
  Responder& s = responders_[frame.qp];
  ++counters_.data_packets;
  if (frame.generation != s.generation) Follow(s, frame);
  if (frame.ce || frame.data.reads_acks || frame.data.balanced) return OnFlagged(s, frame);
  s.OnRequest(frame);
}

void Nic::OnAsk(const Frame& frame) {
  const bool credits = frame.about.credits;
  if (credits && pool_->ExtensionOf(frame)->all) {  // credits for READ responses
    Responder* const twin = frame.qp < requesters_.size() ? requesters_[frame.qp].responder() : nullptr;
    return twin != nullptr ? OnCreditAsk(*twin, frame) : void(++counters_.discarded_packets);
  }
  if (frame.qp >= responders_.size()) {
    ++counters_.discarded_packets;
    return;
  }
  Responder& s = responders_[frame.qp];
  if (frame.generation != s.generation) Follow(s, frame);
  if (credits) return OnCreditAsk(s, frame);
  s.OnAsk(frame);
}

void Nic::OnReadResponse(Frame& frame) {
  Requester& r = requesters_[frame.qp];
  ++counters_.data_packets;
  if (r.phase == Requester::Phase::stopped || r.responder() == nullptr) return;
  Responder& twin = *r.responder();
  twin.generation = frame.generation;
  if (frame.data.reads_acks) [[unlikely]]
    return OnFlaggedResponse(r, frame);
  if (frame.ce) OnMarked(twin, frame);
  r.OnReadResponse(frame);
  if (r.controlled) Apply(r, false);  // the READ no longer counts as data in flight
}

}  // namespace headroom

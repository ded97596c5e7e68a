// What a NIC sends and when: posting, the round of queue pairs, data frames, control frames.
#include <algorithm>
#include <functional>

#include "nic/nic.h"

namespace headroom {
namespace {

/// Whether a whole queue pair has something left to send, now or once something else has happened.
bool HasMore(const Requester& r) { return r.cursor < r.requests.Size() || !r.pair->answers.Empty(); }

}  // namespace

/// Of bulk: nothing is sent on it any more.
bool Nic::HasFailed(const Requester& r) const {
  return r.pair == nullptr ? r.state == Requester::State::failed : r.pair->state == QpState::err;
}

void Nic::Post(uint32_t requester, uint32_t message, int64_t bytes, Operation operation) {
  if (HasFailed(requesters_[requester])) return sink_->OnFailed(message, now(), WcStatus::wr_flush_err);
  SendRequest request;
  request.message = message;
  request.operation = operation;
  request.bytes = bytes;
  request.packets = PacketsOf(bytes, config_.mtu);
  Enqueue(requester, request);
}

void Nic::Enqueue(uint32_t qp, SendRequest request) {
  Requester& r = requesters_[qp];
  if (r.state == Requester::State::failed) return;
  request.first_psn = r.end_psn;
  request.first_extended = static_cast<uint32_t>(config_.frames.Extended(request.operation, true, false));
  request.last_extended = static_cast<uint32_t>(config_.frames.Extended(request.operation, false, true));
  r.end_psn += request.packets;
  r.limit_psn = std::min(r.end_psn, r.una_psn + kPsnWindow);
  r.requests.PushBack(request);
  if (request.operation == Operation::read_request) ++r.pair->posted_reads;
  Time earliest = now() + config_.parameters.tx_latency;
  if (stages_ != nullptr) {
    Time& available = r.requests.Back().available;
    available = stages_->costs.Post(now(), r.transport, request.inlined, request.bytes);
    earliest = std::max(earliest, available);
  }
  if (r.state == Requester::State::idle) Activate(qp, earliest);
}

/// A queue pair that was idle has something to send, not before `earliest`.
void Nic::Activate(uint32_t qp, Time earliest) {
  Requester& r = requesters_[qp];
  OnResumed(r.limiter, now(), r.rate.current);
  r.limiter.eligible = std::max(r.limiter.eligible, earliest);
  const Time until = leaks_ ? earliest : r.limiter.eligible;
  if (until > now()) return Wait(qp, until);
  JoinRound(qp);
  Announce(static_cast<uint8_t>(1u << r.priority));
}

void Nic::JoinRound(uint32_t qp) {
  Requester& r = requesters_[qp];
  Round& round = rounds_[r.round];
  r.state = Requester::State::ready;
  r.next_ready = kNone;
  if (round.head == kNone) {
    round.head = qp;
  } else {
    requesters_[round.tail].next_ready = qp;
  }
  round.tail = qp;
}

/// Ahead of all others.
void Nic::KeepTurn(uint32_t qp) {
  Requester& r = requesters_[qp];
  Round& round = rounds_[r.round];
  r.state = Requester::State::ready;
  r.next_ready = round.head;
  if (round.head == kNone) round.tail = qp;
  round.head = qp;
}

/// The bug congestion_leaking: the limiter has one queue, in which a burst that may not go yet stands before
/// all others (Bai et al., NSDI 2023, section 5).
void Nic::HoldUp(uint32_t qp) {
  KeepTurn(qp);
  const Requester& r = requesters_[qp];
  if (held_up_ >> r.round & 1) return;
  held_up_ |= static_cast<uint16_t>(1u << r.round);
  Arm(Timer::held, r.round, r.limiter.eligible);
}

/// Stands aside until then.
void Nic::Wait(uint32_t qp, Time until) {
  Requester& r = requesters_[qp];
  r.state = Requester::State::pacing;
  waiting_.push_back({until, qp});
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  if (waiting_.front().at < pace_at_) {
    pace_at_ = waiting_.front().at;
    Arm(Timer::pace, 0, pace_at_);
  }
}

Frame* Nic::Pull(int priority) { return stages_ == nullptr ? Make(priority) : TakeLaunched(priority); }

/// The work request that the queue pair would send from is still on its way to the NIC: the pair waits for
/// it.
bool Nic::WaitsForRequest(uint32_t qp, Requester& r) {
  while (r.next_psn - r.requests[r.cursor].first_psn >= r.requests[r.cursor].packets) ++r.cursor;
  const Time available = r.requests[r.cursor].available;
  if (available <= now()) return false;
  Wait(qp, available);
  return true;
}

/// The next frame of the queue pairs of this round.
Frame* Nic::Make(int which) {
  Round& round = rounds_[which];
  while (round.head != kNone) {
    const uint32_t qp = round.head;
    Requester& r = requesters_[qp];
    round.head = r.next_ready;
    if (r.state == Requester::State::failed) continue;
    if (r.pair == nullptr && r.next_psn == r.limit_psn) {
      r.state = Requester::State::idle;
      continue;
    }
    if (r.limiter.eligible > now()) {  // a recovery delay came in between
      if (leaks_) {
        HoldUp(qp);
        return nullptr;
      }
      Wait(qp, r.limiter.eligible);
      continue;
    }
    if (stages_ != nullptr && r.pair == nullptr && WaitsForRequest(qp, r)) continue;
    Frame* frame = r.pair == nullptr ? MakeData(r) : MakeNext(qp, r);
    if (frame == nullptr) {
      r.state = Requester::State::idle;
      continue;
    }
    const int64_t wire_bytes = frame->bytes + config_.frames.gap;
    OnFrameStarted(config_.parameters.dcqcn.limiter, r.limiter, now(), wire_bytes, r.rate.current);
    if (reaction_point_->OnSent(r.rate, wire_bytes)) rate_trace_(qp, now(), r.rate.current);
    if (r.rto_deadline == kNever && r.pair == nullptr) {
      r.rto_deadline = now() + r.rto;
      ArmRetransmit(qp);
    }
    if (r.pair == nullptr ? r.next_psn == r.limit_psn : !HasMore(r)) {
      r.state = Requester::State::idle;
    } else if (leaks_) {
      r.limiter.burst_bytes > 0 ? KeepTurn(qp) : JoinRound(qp);
    } else if (stages_ != nullptr && r.limiter.burst_bytes > 0) {
      KeepTurn(qp);  // the pipeline takes a burst as a whole
    } else if (r.limiter.eligible <= (stages_ == nullptr ? port_->EndOfTransmission(frame->bytes) : now())) {
      JoinRound(qp);
    } else {
      Wait(qp, r.limiter.eligible);
    }
    if (stages_ != nullptr) {
      Launch(frame, qp, r);
    } else if (round.head == kNone) {
      port_->ClearPullable(which);
    }
    return frame;
  }
  return nullptr;
}

/// A data frame of a queue pair, but for what it carries.
Frame* Nic::DataFrame(const Requester& r) {
  Frame* f = port_->pool().Take();
  f->kind = FrameKind::data;
  f->priority = r.priority;
  f->src = config_.host;
  f->dst = r.peer;
  f->flow_hash = r.flow_hash;
  f->qp = r.peer_qp;
  f->generation = r.generation;
  return f;
}

Frame* Nic::MakeData(Requester& r) {
  while (r.next_psn - r.requests[r.cursor].first_psn >= r.requests[r.cursor].packets) ++r.cursor;
  const SendRequest& request = r.requests[r.cursor];
  const uint64_t offset = r.next_psn - request.first_psn;
  const bool first = offset == 0;
  const bool last = offset + 1 == request.packets;

  Frame* f = DataFrame(r);
  f->psn = static_cast<uint32_t>(r.next_psn);
  f->message = request.message;
  f->first = first;
  f->last = last;
  f->ingress = request.inlined ? kInlined : 0;
  f->opcode = OpcodeOf(r.transport, request.operation, first, last);
  const int64_t payload = last ? request.bytes - config_.mtu * static_cast<int64_t>(offset) : config_.mtu;
  const uint32_t extended = (first ? request.first_extended : 0) + (last ? request.last_extended : 0);
  f->bytes = static_cast<uint32_t>(config_.frames.Packet(payload, extended).v);
  counters_.sent_bytes += f->bytes;

  if (r.next_psn < r.high_psn) {
    ++counters_.retransmitted_packets;
    if (request.message != kNoMessage) sink_->OnRetransmittedPacket(request.message);
  } else {
    r.high_psn = r.next_psn + 1;
  }
  ++r.next_psn;
  return f;
}

Frame* Nic::MakeControl(FrameKind kind, const Responder& s, uint64_t psn, bool echo, uint8_t opcode) {
  Frame* f = port_->pool().Take();
  f->kind = kind;
  f->priority = kind == FrameKind::cnp ? config_.cnp_priority : AckPriority(s);
  f->src = config_.host;
  f->dst = s.peer;
  f->flow_hash = s.flow_hash;
  f->qp = s.peer_qp;
  f->psn = static_cast<uint32_t>(psn);
  f->echo = echo;
  f->opcode = opcode;
  f->message = s.executed;
  f->generation = s.generation;
  f->bytes = static_cast<uint32_t>((kind == FrameKind::cnp ? config_.frames.Cnp() : config_.frames.Ack()).v);
  f->charge = f->bytes;
  counters_.sent_bytes += f->bytes;
  return f;
}

void Nic::SendControl(FrameKind kind, const Responder& s, uint64_t psn, bool echo, uint8_t opcode,
                      Time delay) {
  Frame* f = MakeControl(kind, s, psn, echo, opcode);
  if (delay > Time{}) return Arm(Timer::control, reinterpret_cast<uint64_t>(f), now() + delay);
  SendNow(f);
}

uint8_t Nic::AckPriority(const Responder& s) const {
  const bool same = config_.parameters.transport.ack_priority == TransportParameters::AckPriority::same;
  return same ? s.priority : config_.cnp_priority;
}

/// A control frame's delay, if it had one, is over. Until now it stood in no queue, where it would have held
/// up what comes after it.
void Nic::SendNow(Frame* frame) {
  frame->ready = now() + config_.parameters.tx_latency;
  if (stages_ != nullptr) {
    if (frame->kind != FrameKind::cnp)
      frame->ready = stages_->costs.Acknowledge(now()) + config_.parameters.tx_latency;
    if (frame->dst == config_.host)
      return Arm(Timer::looped, reinterpret_cast<uint64_t>(frame), frame->ready);
  }
  port_->Enqueue(frame);
}

/// Sends again from `psn` on, not before `earliest`.
void Nic::GoBack(uint32_t qp, uint64_t psn, Time earliest) {
  Requester& r = requesters_[qp];
  r.next_psn = psn;
  r.cursor = 0;
  if (r.pair != nullptr) {
    r.pair->reads = 0;  // they will be asked for again
    r.pair->hold_until = std::max(r.pair->hold_until, earliest);
    if (earliest > now()) return Arm(Timer::resume, qp, earliest);
  }
  // A queue pair in the round or waiting looks at `eligible` when its turn comes.
  if (r.state == Requester::State::idle) return Activate(qp, earliest);
  if (r.pair == nullptr) r.limiter.eligible = std::max(r.limiter.eligible, earliest);
}

}  // namespace headroom

// Of Nic: whose turn it is to send, and when.
#include <algorithm>
#include <functional>

#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

void Nic::Activate(Requester& r, Time earliest) {
  OnResumed(r.limiter, now(), r.rate.current);
  if (times_ != nullptr) times_->OnWoken(constants_.host, r.number(), now(), earliest);
  r.limiter.eligible = std::max(r.limiter.eligible, earliest);
  const Time until = leaks_ ? earliest : r.limiter.eligible;
  if (until > now()) return StandAside(r, until);
  JoinRound(r);
  Announce(static_cast<uint8_t>(1u << r.priority));
}

void Nic::JoinRound(Requester& r) {
  const uint32_t qp = r.number();
  Round& round = rounds_[r.round];
  r.state = Requester::State::ready;
  r.next_ready = kNone;
  if (round.head == kNone) {
    round.head = qp;
  } else {
    requesters_[round.tail].next_ready = qp;
  }
  round.tail = qp;
  waiting_rounds_ |= 1u << r.round;
}

/// The first of a round has its turn.
void Nic::LeaveRound(int which, const Requester& r) {
  rounds_[which].head = r.next_ready;
  if (r.next_ready == kNone) waiting_rounds_ &= ~(1u << which);
}

/// Ahead of all others.
void Nic::KeepTurn(Requester& r) {
  const uint32_t qp = r.number();
  Round& round = rounds_[r.round];
  r.state = Requester::State::ready;
  r.next_ready = round.head;
  if (round.head == kNone) round.tail = qp;
  round.head = qp;
  waiting_rounds_ |= 1u << r.round;
}

/// The bug congestion_leaking: the limiter has one queue, in which a burst that may not go yet stands before
/// all others (Bai et al., NSDI 2023, section 5).
void Nic::HoldUp(Requester& r) {
  KeepTurn(r);
  if (held_up_ >> r.round & 1) return;
  held_up_ |= static_cast<uint16_t>(1u << r.round);
  if (times_ != nullptr) {
    holds_.resize(rounds_.size());
    holds_[r.round].Begin(now());
  }
  Arm(NicTimer::held, r.round, r.limiter.eligible);
}

void Nic::StandAside(Requester& r, Time until) {
  r.state = Requester::State::pacing;
  waiting_.push_back({until, r.number()});
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  if (waiting_.front().at < pace_at_) {
    pace_at_ = waiting_.front().at;
    Arm(NicTimer::pace, 0, pace_at_);
  }
}

Frame* Nic::Pull(int priority) { return stages_ == nullptr ? Make(priority) : TakeLaunched(priority); }

/// The next frame of the queue pairs of this round.
Frame* Nic::Make(int which) {
  const Round& round = rounds_[which];
  while (round.head != kNone) {
    const uint32_t qp = round.head;
    Requester& r = requesters_[qp];
    LeaveRound(which, r);
    if (r.limiter.eligible > now()) {  // a recovery delay came in between
      if (!r.HasMore()) {
        r.state = Requester::State::idle;
        continue;
      }
      if (leaks_) {
        HoldUp(r);
        return nullptr;
      }
      StandAside(r, r.limiter.eligible);
      continue;
    }
    const Time eligible = r.limiter.eligible;
    const uint64_t repeated = counters_.retransmitted_packets;
    Frame* frame = r.Next();
    if (frame == nullptr) {
      if (r.state == Requester::State::ready) r.state = Requester::State::idle;
      continue;
    }
    const Time end = stages_ == nullptr ? port_->EndOfTransmission(frame->bytes) : now();
    if (times_ != nullptr && frame->message != kNoMessage) [[unlikely]] {
      const bool repeats = counters_.retransmitted_packets != repeated;
      const bool alone = !repeats && stages_ == nullptr && !leaks_;
      if (!alone || !times_->OnNextSent(constants_.host, qp, *frame, eligible, now(), end))
        NoteMade(r, *frame, eligible, repeats, end);
    }
    const int64_t wire_bytes = frame->bytes + constants_.gap;
    r.wire_bytes += wire_bytes;
    OnFrameStarted(config_.parameters.dcqcn.limiter, r.limiter, now(), wire_bytes, r.rate.current);
    if (times_ != nullptr) r.held_by = r.rate.last_cut;
    if (reaction_point_->OnSent(r.rate, wire_bytes)) rate_trace_(r.number(), now(), r.rate.current);
    if (!r.HasMore()) {
      r.state = Requester::State::idle;
    } else if (leaks_) {
      r.limiter.burst_bytes > 0 ? KeepTurn(r) : JoinRound(r);
    } else if (stages_ != nullptr && r.limiter.burst_bytes > 0) {
      KeepTurn(r);  // the pipeline takes a burst as a whole
    } else if (r.limiter.eligible <= end) {
      JoinRound(r);
    } else {
      StandAside(r, r.limiter.eligible);
    }
    if (stages_ != nullptr) {
      Launch(frame, r);
    } else if (round.head == kNone) {
      port_->ClearPullable(which);
    }
    return frame;
  }
  return nullptr;
}

/// Where nothing lies between the queue pairs and the port, it is sent as it is made.
void Nic::NoteMade(const Requester& r, Frame& frame, Time eligible, bool repeats, Time end) {
  const StoppedSpans* const holds = holds_.empty() ? nullptr : &holds_[r.round];
  const MessageTimes::Made made{eligible, r.held_by, Time{}, repeats, holds};
  if (stages_ != nullptr) return times_->OnMade(constants_.host, r.number(), made);
  times_->OnSent(constants_.host, r.number(), made, frame, *port_, now(), end);
}

void Nic::NoteTransmits(uint32_t requester, Frame& frame, Time end) {
  times_->OnSent(constants_.host, requester, frame, *port_, now(), end);
}

/// A control frame's delay, if it had one, is over. Until now it stood in no queue, where it would have held
/// up what comes after it.
void Nic::SendNow(Frame* frame) {
  frame->ready = now() + constants_.tx_latency;
  if (stages_ != nullptr) {
    if (frame->kind != FrameKind::cnp)
      frame->ready = stages_->costs.Acknowledge(now()) + constants_.tx_latency;
    if (frame->dst == constants_.host) {
      frame->ready = std::max(frame->ready, stages_->looped_ready);
      if (times_ != nullptr) times_->OnAnswer(*frame, frame->ready);
      return Arm(NicTimer::looped, reinterpret_cast<uint64_t>(frame), frame->ready);
    }
    if (StandsBehindResponses(frame)) return;
  }
  if (times_ != nullptr) times_->OnAnswer(*frame, frame->ready);
  port_->Enqueue(frame);
}

void Nic::SendForeign(Frame* frame) {
  const FrameFifo& queue = port_->queue(frame->priority);
  frame->ready = now() + constants_.tx_latency;
  if (!queue.Empty()) frame->ready = std::max(frame->ready, queue.tail->ready);
  frame->charge = frame->bytes;
  counters_.sent_bytes += frame->bytes;
  port_->Enqueue(frame);
}

}  // namespace headroom

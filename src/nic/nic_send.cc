// Part of Nic: how frames are made and sent.
#include <algorithm>

#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

Frame* Nic::Pull(Port& port, int priority) {
  return stages_ == nullptr ? MakeForPort(port, priority) : TakeLaunched(port, priority);
}

/// For an ideal NIC: makes the next frame of this priority, which starts at the port immediately.
Frame* Nic::MakeForPort(Port& port, int priority) {
  const int round = RoundAt(port.index(), priority);
  while (Requester* const r = NextTurn(round)) {
    const Time eligible = r->limiter.eligible;
    const NextFrame next = r->Next();
    if (next.frame == nullptr) {
      EndTurn(*r);
      continue;
    }
    const Time end = port.EndOfTransmission(next.frame->bytes);
    if (times_ != nullptr && next.frame->message != kNoMessage) [[unlikely]]
      NoteMadeForPort(*r, next, eligible, end);
    CountSent(*r, *next.frame);
    EndTurn(*r, end);
    if (rounds_[round].head == kNone) port.ClearPullable(priority);
    return next.frame;
  }
  return nullptr;
}

/// For a NIC with resources: the next frame of this round enters the transmit pipeline. Returns false if
/// there is none.
bool Nic::MakeForPipeline(int round) {
  while (Requester* const r = NextTurn(round)) {
    const Time eligible = r->limiter.eligible;
    const NextFrame next = r->Next();
    if (next.frame == nullptr) {
      EndTurn(*r);
      continue;
    }
    if (times_ != nullptr && next.frame->message != kNoMessage)
      times_->OnMade(host_, r->number(), HowMade(*r, next, eligible));
    CountSent(*r, *next.frame);
    // The pipeline takes a burst as a unit.
    if (r->HasMore() && (r->limiter.burst_bytes > 0 || stages_->GoesOn(round, r->number(), *next.frame))) {
      KeepTurn(*r);
    } else {
      EndTurn(*r, now());
    }
    Launch(next, *r);
    return true;
  }
  return false;
}

MessageTimes::Made Nic::HowMade(const Requester& r, const NextFrame& next, Time eligible) const {
  MessageTimes::Made made{.eligible = eligible, .cut = r.held_by, .repeats = next.repeats};
  if (!holds_.empty()) made.holds = &holds_[r.round];
  if (!IsReadResponse(next.frame->opcode)) {
    made.shut = r.shut_at;
    made.opened = r.opened_at;
  } else if (r.controlled) {
    made.shut = controls_[r.number()].held_at;
    made.opened = controls_[r.number()].freed_at;
  }
  return made;
}

void Nic::NoteMadeForPort(const Requester& r, const NextFrame& next, Time eligible, Time end) {
  const bool alone = !next.repeats && !leaks_;
  if (alone && times_->OnNextSent(host_, r.number(), *next.frame, eligible, now(), end)) return;
  times_->OnSent(host_, r.number(), HowMade(r, next, eligible), *next.frame, PortOf(r), now(), end);
}

/// The delay of a control frame, if it had one, is over. Until now the frame was in no queue, where it would
/// have delayed later frames.
void Nic::SendNow(Frame* frame) {
  frame->ready = now() + constants_->tx_latency;
  if (stages_ != nullptr) {
    if (frame->kind != FrameKind::cnp)
      frame->ready = stages_->costs.Acknowledge(now()) + constants_->tx_latency;
    if (frame->dst == host_) {
      frame->ready = std::max(frame->ready, stages_->looped_ready);
      if (times_ != nullptr) times_->OnAnswer(*frame, frame->ready);
      return Arm(NicTimer::looped, reinterpret_cast<uint64_t>(frame), frame->ready);
    }
    if (StandsBehindResponses(frame)) return;
  }
  if (times_ != nullptr) times_->OnAnswer(*frame, frame->ready);
  PortOf(*frame).Enqueue(frame);
}

void Nic::SendForeign(Frame* frame) {
  Port& port = PortOf(*frame);
  const FrameFifo& queue = port.queue(frame->priority);
  frame->ready = now() + constants_->tx_latency;
  if (!queue.Empty()) frame->ready = std::max(frame->ready, queue.tail->ready);
  frame->charge = frame->bytes;
  counters_.sent_bytes += frame->bytes;
  port.Enqueue(frame);
}

}  // namespace headroom

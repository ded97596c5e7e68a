// Part of Nic: the order in which queue pairs send. Each round is a list of the requesters that may send now.
// Those that wait for a time are in a heap with one pending event for the earliest.
#include <algorithm>
#include <functional>

#include "nic/nic.h"
#include "nic/transport/message_times.h"

namespace headroom {

void Nic::Activate(Requester& r, Time earliest) {
  OnResumed(r.limiter, now(), r.rate.current);
  if (times_ != nullptr) times_->OnWoken(host_, r.number(), now(), earliest);
  r.limiter.eligible = std::max(r.limiter.eligible, earliest);
  const Time until = stays_ ? earliest : r.limiter.eligible;
  if (until > now()) return StandAside(r, until);
  JoinRound(r);
  Announce(1u << r.round);
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

/// The first requester of a round has its turn.
void Nic::LeaveRound(int which, const Requester& r) {
  rounds_[which].head = r.next_ready;
  if (r.next_ready == kNone) waiting_rounds_ &= ~(1u << which);
}

/// The requester stays ahead of all others.
void Nic::KeepTurn(Requester& r) {
  const uint32_t qp = r.number();
  Round& round = rounds_[r.round];
  r.state = Requester::State::ready;
  r.next_ready = round.head;
  if (round.head == kNone) round.tail = qp;
  round.head = qp;
  waiting_rounds_ |= 1u << r.round;
}

/// The bug congestion_leaking: the limiter has one queue, in which a delayed burst blocks all others (Bai et
/// al., NSDI 2023, section 8.3).
void Nic::HoldUp(Requester& r) {
  KeepTurn(r);
  if (held_up_ >> r.round & 1) return;
  held_up_ |= 1u << r.round;
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

/// A queue pair outside its round may now send earlier than planned.
void Nic::MoveUp(const Requester& r) {
  const auto at = std::ranges::find(waiting_, r.number(), &Waiting::qp);
  if (at == waiting_.end() || at->at <= r.limiter.eligible) return;
  at->at = r.limiter.eligible;
  std::push_heap(waiting_.begin(), at + 1, std::greater<>());
  if (waiting_.front().at < pace_at_) {
    pace_at_ = waiting_.front().at;
    Arm(NicTimer::pace, 0, pace_at_);
  }
}

/// Returns the next requester of a round that may send; null if there is none for now. The caller must end
/// the requester's turn.
Requester* Nic::NextTurn(int which) {
  const Round& round = rounds_[which];
  while (round.head != kNone) {
    Requester& r = requesters_[round.head];
    LeaveRound(which, r);
    if (r.limiter.eligible <= now()) return &r;
    // A recovery delay intervened, or congestion leaks.
    if (!r.HasMore()) {
      r.state = Requester::State::idle;
    } else if (leaks_) {
      HoldUp(r);
      return nullptr;
    } else if (scans_) {
      return NextOfScan(which, r);
    } else {
      StandAside(r, r.limiter.eligible);
    }
  }
  if (scans_) PlanScan();
  return nullptr;
}

/// As in the HPCC simulator's NIC, a requester that may not send yet keeps its turn, and the NIC asks it
/// again. `first`: the requester had its turn too early.
Requester* Nic::NextOfScan(int which, Requester& first) {
  JoinRound(first);
  while (rounds_[which].head != first.number()) {
    Requester& r = requesters_[rounds_[which].head];
    LeaveRound(which, r);
    if (r.limiter.eligible <= now()) return &r;
    if (r.HasMore()) {
      JoinRound(r);
    } else {
      r.state = Requester::State::idle;
    }
  }
  PlanScan();
  return nullptr;
}

/// No requester may send. The NIC checks again when the first is due, but has only one timer, which a later
/// plan does not move. This includes requesters without a window. If such a requester is due, the NIC sets no
/// timer, and a requester that waits for its rate continues with the next ACK.
void Nic::PlanScan() {
  if (pace_at_ != kNever) return;
  Time first = kNever;
  for (const Requester& r : requesters_)
    if (r.HasMore()) first = std::min(first, r.limiter.eligible);
  if (first == kNever || first <= now()) return;
  pace_at_ = first;
  Arm(NicTimer::pace, 0, pace_at_);
}

/// Something has arrived: the NIC checks whether a requester may send now.
void Nic::Scan() {
  if (scans_ && waiting_rounds_ != 0) Announce(waiting_rounds_);
}

/// The requester has sent nothing, because it has nothing that may be sent now.
void Nic::EndTurn(Requester& r) {
  if (r.state == Requester::State::ready) r.state = Requester::State::idle;
}

/// The requester has sent a frame. The next turn of this round begins at `next`.
void Nic::EndTurn(Requester& r, Time next) {
  if (!r.HasMore()) {
    r.state = Requester::State::idle;
  } else if (stays_) {
    leaks_&& r.limiter.burst_bytes > 0 ? KeepTurn(r) : JoinRound(r);
  } else if (r.limiter.eligible <= next) {
    JoinRound(r);
  } else {
    StandAside(r, r.limiter.eligible);
  }
}

void Nic::OnPace() {
  if (pace_at_ != now()) return;  // an earlier event replaced it
  pace_at_ = kNever;
  if (scans_) return Scan();
  uint32_t rounds = 0;
  while (!waiting_.empty() && waiting_.front().at <= now()) {
    Requester& r = requesters_[waiting_.front().qp];
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    waiting_.pop_back();
    if (r.limiter.eligible > now() && !leaks_) {
      waiting_.push_back({r.limiter.eligible, r.number()});
      std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
      continue;
    }
    JoinRound(r);
    rounds |= 1u << r.round;
  }
  if (!waiting_.empty()) {
    pace_at_ = waiting_.front().at;
    Arm(NicTimer::pace, 0, pace_at_);
  }
  Announce(rounds);
}

/// Queue pairs of these rounds may send.
void Nic::Announce(uint32_t rounds) {
  if (stages_ != nullptr) return Pump();
  if (const auto first = static_cast<uint8_t>(rounds); first != 0) ports_[0]->SetPullable(first);
  if (const uint32_t second = rounds >> (kLoopback + 1); second != 0) [[unlikely]]
    ports_[1]->SetPullable(static_cast<uint8_t>(second));
}

}  // namespace headroom

// Of Nic: its timers. Each purpose of a queue pair has one pending event at most that counts; a deadline that
// moved back is found when the event fires, which then arms the next.
#include <algorithm>
#include <functional>

#include "nic/nic.h"

namespace headroom {

void Nic::OnEvent(uint64_t arg) {
  const uint64_t number = arg & ((uint64_t{1} << 56) - 1);
  switch (static_cast<NicTimer>(arg >> 56)) {
    case NicTimer::pace:
      return OnPace();
    case NicTimer::retransmit:
      return requesters_[number].OnRetransmitTimer();
    case NicTimer::rate:
      return OnRateTimer(requesters_[number]);
    case NicTimer::received:
      return Process(reinterpret_cast<Frame*>(number));
    case NicTimer::control:
      return SendNow(reinterpret_cast<Frame*>(number));
    case NicTimer::resume:
      return requesters_[number].ResumeAt(now());
    case NicTimer::sent:
      return requesters_[number].OnOut();
    case NicTimer::held:
      held_up_ &= static_cast<uint16_t>(~(1u << number));
      if (!holds_.empty()) holds_[number].End(now());
      return Announce(static_cast<uint8_t>(1u << number));
    case NicTimer::notify:
      return verbs_->RunHandler(static_cast<uint32_t>(number));
    case NicTimer::written:
      return verbs_->RunWatch(static_cast<uint32_t>(number));
    case NicTimer::pump:
      return OnPump();
    case NicTimer::launched:
      return OnLaunched(static_cast<int>(number));
    case NicTimer::looped:
      return OnLooped(reinterpret_cast<Frame*>(number));
    case NicTimer::taken:
      return OnTaken(number != 0);
    case NicTimer::reported:
      return verbs_->AddWritten();
    case NicTimer::completed:
      return sink_->OnCompleted(static_cast<uint32_t>(number), now());
  }
}

void Nic::OnPace() {
  if (pace_at_ != now()) return;  // an earlier one took its place
  pace_at_ = kNever;
  uint8_t pullable = 0;
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
    pullable |= static_cast<uint8_t>(1u << r.priority);
  }
  if (!waiting_.empty()) {
    pace_at_ = waiting_.front().at;
    Arm(NicTimer::pace, 0, pace_at_);
  }
  Announce(pullable);
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
  if (r.rate.NextTimer() == now()) {
    reaction_point_->OnTimer(r.rate, now());
    rate_trace_(r.number(), now(), r.rate.current);
  }
  ArmRate(r);
}

}  // namespace headroom

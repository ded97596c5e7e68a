// A NIC's timers. Each purpose of a queue pair has one pending event at most that counts; a deadline that
// moved back is found when the event fires, which then arms the next.
#include <algorithm>
#include <functional>

#include "nic/nic.h"

namespace headroom {

void Nic::Arm(Timer timer, uint64_t number, Time at) {
  events_->PushTarget(at, TimedEvent::Order(EventClass::nic_timer, entity_, event_count_++), this,
                      (static_cast<uint64_t>(timer) << 56) | number);
}

void Nic::OnEvent(uint64_t arg) {
  const uint64_t number = arg & ((uint64_t{1} << 56) - 1);
  const auto qp = static_cast<uint32_t>(number);
  switch (static_cast<Timer>(arg >> 56)) {
    case Timer::pace:
      return OnPace();
    case Timer::retransmit:
      return OnRetransmitTimer(qp);
    case Timer::rate:
      return OnRateTimer(qp);
    case Timer::received:
      return Process(reinterpret_cast<Frame*>(number));
    case Timer::control:
      return SendNow(reinterpret_cast<Frame*>(number));
    case Timer::resume:
      return ResumeAt(qp, now());
    case Timer::sent:
      return OnSent(qp);
    case Timer::held:
      held_up_ &= static_cast<uint16_t>(~(1u << number));
      return Announce(static_cast<uint8_t>(1u << number));
    case Timer::notify:
      return verbs_->cqs_[number].handler_();
    case Timer::written: {
      MemoryWatch& watch = verbs_->watches_[number];
      const MemoryWatch::Written written = watch.written.Front();
      watch.written.PopFront();
      return watch.handler(written.addr, written.length);
    }
    case Timer::pump:
      return OnPump();
    case Timer::launched:
      return OnLaunched(static_cast<int>(number));
    case Timer::looped:
      return OnLooped(reinterpret_cast<Frame*>(number));
    case Timer::taken:
      return OnTaken(number != 0);
    case Timer::reported:
      return OnWritten();
    case Timer::completed:
      return sink_->OnCompleted(static_cast<uint32_t>(number), now());
  }
}

void Nic::OnPace() {
  if (pace_at_ != now()) return;  // an earlier one took its place
  pace_at_ = kNever;
  uint8_t pullable = 0;
  while (!waiting_.empty() && waiting_.front().at <= now()) {
    const uint32_t qp = waiting_.front().qp;
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    waiting_.pop_back();
    Requester& r = requesters_[qp];
    if (r.state == Requester::State::failed) continue;
    if (r.limiter.eligible > now() && !leaks_) {
      waiting_.push_back({r.limiter.eligible, qp});
      std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
      continue;
    }
    JoinRound(qp);
    pullable |= static_cast<uint8_t>(1u << r.priority);
  }
  if (!waiting_.empty()) {
    pace_at_ = waiting_.front().at;
    Arm(Timer::pace, 0, pace_at_);
  }
  Announce(pullable);
}

void Nic::ArmRetransmit(uint32_t qp) {
  Requester& r = requesters_[qp];
  if (r.rto_event != kNever) return;
  r.rto_event = r.rto_deadline;
  Arm(Timer::retransmit, qp, r.rto_event);
}

void Nic::OnRetransmitTimer(uint32_t qp) {
  Requester& r = requesters_[qp];
  r.rto_event = kNever;
  if (r.rto_deadline == kNever || r.state == Requester::State::failed) return;
  if (r.rto_deadline <= now()) {
    ++counters_.timeouts;
    if (r.retries >= r.retry_limit) return Fail(qp, WcStatus::retry_exc_err, "retries exhausted");
    ++r.retries;
    // It runs again from the second try on, which the limiter or a pause may hold back for long.
    r.rto_deadline = kNever;
    if (r.pair != nullptr) r.pair->recovering = false;  // what is lost from here on is news
    GoBack(qp, r.una_psn, now());
  }
  if (r.rto_deadline != kNever) ArmRetransmit(qp);
}

void Nic::ArmRate(uint32_t qp) {
  Requester& r = requesters_[qp];
  const Time due = r.rate.NextTimer();
  if (due >= r.rate_event) return;
  r.rate_event = due;
  Arm(Timer::rate, qp, due);
}

void Nic::OnRateTimer(uint32_t qp) {
  Requester& r = requesters_[qp];
  if (r.rate_event != now()) return;
  r.rate_event = kNever;
  if (r.rate.NextTimer() == now()) {
    reaction_point_->OnTimer(r.rate, now());
    rate_trace_(qp, now(), r.rate.current);
  }
  ArmRate(qp);
}

void Nic::Fail(uint32_t qp, WcStatus status, const std::string& why) {
  Requester& r = requesters_[qp];
  if (r.pair == nullptr || r.pair->bulk) {
    for (uint32_t i = 0; i < r.requests.Size(); ++i)
      sink_->OnFailed(r.requests[i].message, now(), i == 0 ? status : WcStatus::wr_flush_err);
  }
  if (r.pair != nullptr) return FailWork(qp, status, why);
  r.state = Requester::State::failed;
  r.rto_deadline = kNever;
  sink_->OnQueuePairError(config_.host, qp, why);
}

}  // namespace headroom

// Part of Nic: its events. Each purpose of a queue pair has at most one valid pending event. If its deadline
// moved back, the event notices when it fires, and arms the next.
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
      held_up_ &= ~(1u << number);
      if (!holds_.empty()) holds_[number].End(now());
      return Announce(1u << number);
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
    case NicTimer::context:
      return contexts_->OnTimer(static_cast<uint32_t>(number));
    case NicTimer::credit:
      return credit_scheduler_->OnTimer();
    case NicTimer::link:
      return OnLinkKept(static_cast<uint32_t>(number));
  }
}

}  // namespace headroom

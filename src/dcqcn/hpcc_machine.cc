#include "dcqcn/hpcc_machine.h"

#include "dcqcn/machine_steps.h"
#include "dcqcn/paper_machine.h"

namespace headroom {

RpReaction HpccMachine::OnNotification(RpState& s, Time now) const {
  // The simulator's decrease check runs 1 ns after the alpha tick of the same period.
  const Time offset = Nanoseconds(1);
  if (s.first_flag.v < 0) {
    s.first_flag = s.alpha_base = now;
    s.alpha = 1;
    s.decrease_due = now + p_.reduce_window + offset;
    return RpReaction::noted;
  }
  DecayAlpha(p_, s, now);
  s.alpha_flag = true;
  if (s.decrease_due == kNever) s.decrease_due = NextCheck(p_, s, now, offset);
  return RpReaction::noted;
}

void HpccMachine::OnTimer(RpState& s, Time now) const {
  if (s.decrease_due == now) {
    s.decrease_due = kNever;
    DecayAlpha(p_, s, now);
    return Cut(p_, s, now, p_.clamp_target || s.time_stage > 0);
  }
  s.increase_due = now + p_.increase_timer;
  // The simulator counts stages from 0 before the step: below F recovery, at F additive, above it hyper.
  Raise(s, s.time_stage > p_.fast_recovery    ? p_.rate_hai
           : s.time_stage == p_.fast_recovery ? p_.rate_ai
                                              : Rate());
  ++s.time_stage;
}

std::optional<MachineDemand> HpccMachine::UnmetBy(const RpParameters& p) {
  if (p.byte_counter.v == 0) return std::nullopt;
  return MachineDemand{"byte_counter", "machine hpcc has no byte counter, but byte_counter is {}",
                       "byte_counter: 0B, the value of generation: hpcc-sim"};
}

}  // namespace headroom

#include "dcqcn/paper_machine.h"

#include <algorithm>

#include "dcqcn/machine_steps.h"

namespace headroom {

RpReaction PaperMachine::OnNotification(RpState& s, Time now) const {
  const bool cut_before = s.last_cut.v >= 0;
  if (cut_before && now < s.last_cut + p_.reduce_window) return RpReaction::ignored;
  if (cut_before) DecayAlpha(p_, s, now);
  Cut(p_, s, now, true);
  s.alpha = (1 - p_.g) * s.alpha + p_.g;
  s.alpha_base = now;
  return RpReaction::cut;
}

void PaperMachine::OnTimer(RpState& s, Time now) const {
  s.increase_due = now + p_.increase_timer;
  ++s.time_stage;
  Increase(s);
}

void PaperMachine::OnByteCounter(RpState& s) const {
  ++s.byte_stage;
  Increase(s);
}

void PaperMachine::Increase(RpState& s) const {
  const auto [least, most] = std::minmax(s.time_stage, s.byte_stage);
  Raise(s, least > p_.fast_recovery  ? p_.rate_hai * (least - p_.fast_recovery)
           : most > p_.fast_recovery ? p_.rate_ai
                                     : Rate());
}

}  // namespace headroom

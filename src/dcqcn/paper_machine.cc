#include "dcqcn/paper_machine.h"

#include <algorithm>
#include <cmath>

#include "dcqcn/machine_steps.h"

namespace headroom {

void Cut(const RpParameters& p, RpState& s, Time now, bool lower_target) {
  if (lower_target) s.target = s.current;
  const double reduced = static_cast<double>(s.current.v) * (1 - s.alpha / 2);
  s.current = std::max(std::min(p.min_rate, s.line), Rate(std::llround(reduced)));
  s.target = std::max(s.target, s.current);
  s.time_stage = s.byte_stage = 0;
  s.bytes = 0;
  s.increase_due = now + p.increase_timer;
  s.last_cut = now;
}

void DecayAlpha(const RpParameters& p, RpState& s, Time now) {
  if (now <= s.alpha_base) return;
  int64_t ticks = (now - s.alpha_base - Time(1)) / p.alpha_timer;
  s.alpha_base += p.alpha_timer * ticks;
  if (s.alpha_flag && ticks > 0) {
    s.alpha = (1 - p.g) * s.alpha + p.g;
    s.alpha_flag = false;
    --ticks;
  }
  // Below this alpha no cut changes a rate by 1 bit/s; it also bounds the loop.
  constexpr double kNegligible = 1e-13;
  for (; ticks > 0 && s.alpha > kNegligible; --ticks) s.alpha *= 1 - p.g;
}

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

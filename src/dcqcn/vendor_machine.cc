#include "dcqcn/vendor_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dcqcn/machine_steps.h"

namespace headroom {
namespace {

constexpr int64_t kOne = 1024;  ///< unit of alpha and g

int64_t InFractions(double fraction) { return static_cast<int64_t>(fraction * kOne + 0.5); }

}  // namespace

RpReaction VendorMachine::OnNotification(RpState& s, Time now) const {
  if (s.first_flag.v >= 0) {
    MoveAlpha(s, now);
    s.alpha_flag = true;
    if (s.decrease_due == kNever) s.decrease_due = NextCheck(p_, s, now, Time{});
    return RpReaction::noted;
  }
  s.first_flag = s.alpha_base = now;
  s.alpha = static_cast<double>(p_.initial_alpha) / kOne;
  if (p_.rate_on_first_cnp.v == 0) {
    s.decrease_due = NextCheck(p_, s, now, Time{});
    return RpReaction::noted;
  }
  s.current = s.target = std::min(p_.rate_on_first_cnp, s.line);
  s.bytes = 0;
  s.last_cut = now;
  if (!s.AtLineRate()) s.increase_due = now + p_.increase_timer;
  return RpReaction::cut;
}

void VendorMachine::OnTimer(RpState& s, Time now) const {
  if (s.decrease_due == now) return CutRate(s, now);
  s.increase_due = now + p_.increase_timer;
  Increase(s);
  ++s.time_stage;
}

void VendorMachine::OnByteCounter(RpState& s) const {
  Increase(s);
  ++s.byte_stage;
}

/// Applies the ticks of alpha's timer up to but not at `until`. A CNP at the instant of a tick counts for
/// that tick.
void VendorMachine::MoveAlpha(RpState& s, Time until) const {
  if (until <= s.alpha_base) return;
  int64_t ticks = (until - s.alpha_base - Time(1)) / p_.alpha_timer;
  s.alpha_base += p_.alpha_timer * ticks;
  const int64_t gain = InFractions(p_.g);
  int64_t alpha = InFractions(s.alpha);
  if (s.alpha_flag && ticks > 0) {
    alpha = std::min(alpha * (kOne - gain) / kOne + gain, kOne - 1);
    s.alpha_flag = false;
    --ticks;
  }
  // Each tick takes at least one, so alpha is 0 after 1023 ticks.
  for (; ticks > 0 && alpha > 0; --ticks) alpha = alpha * (kOne - gain) / kOne;
  s.alpha = static_cast<double>(alpha) / kOne;
}

void VendorMachine::CutRate(RpState& s, Time now) const {
  s.decrease_due = kNever;
  MoveAlpha(s, now + Time(1));
  if (p_.clamp_target || s.byte_stage > 0 || (p_.clamp_after_time_increase && s.time_stage > 0))
    s.target = s.current;
  const int64_t by_alpha = s.current.v * InFractions(s.alpha) >> p_.cut_shift;
  const int64_t at_most = s.current.v * (100 - p_.least_kept) / 100;
  s.current = std::max(std::min(p_.min_rate, s.line), Rate(s.current.v - std::min(by_alpha, at_most)));
  s.target = std::max(s.target, s.current);
  s.time_stage = s.byte_stage = 0;
  s.bytes = 0;
  s.increase_due = s.AtLineRate() ? kNever : now + p_.increase_timer;
  s.last_cut = now;
}

/// Raises the rate one step; the stages are counted before it.
void VendorMachine::Increase(RpState& s) const {
  const auto [least, most] = std::minmax(s.time_stage, s.byte_stage);
  Raise(s, least > p_.fast_recovery ? p_.rate_hai : most >= p_.fast_recovery ? p_.rate_ai : Rate());
}

/// This machine counts in whole numbers.
std::optional<MachineDemand> VendorMachine::UnmetBy(const RpParameters& p) {
  const double kept = (1 - p.g) * kOne;
  if (kept != std::round(kept))
    return MachineDemand{
        "g",
        fmt::format("machine vendor counts g in units of 1/1024; {} is not a multiple of this unit", p.g),
        fmt::format("the nearest is {}/1024", std::max<int64_t>(1, std::llround(p.g * kOne)))};
  if (p.reduce_window.v == 0)
    return MachineDemand{"reduce_window", "machine vendor needs a minimum time between rate cuts",
                         "give reduce_window: 4us or rate_reduce_monitor_period: 4, the adapters' default"};
  return std::nullopt;
}

}  // namespace headroom

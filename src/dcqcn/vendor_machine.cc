// The reaction point of ConnectX adapters, machine `vendor`.
//
// Source: NVIDIA, DCQCN CC Parameters (DOCA documentation; Mellanox community DOC-2790 before), for what the
// parameters mean; google/isekai, rdma_roce_cc_dcqcn.cc, for the state machine: from the first CNP on, alpha
// is updated each alpha_timer and the rate cut at most once each reduce_window, both from a flag that a CNP
// sets. Alpha is a whole number of 1/1024, and divisions drop the remainder. We depart from it in three
// places: rates are whole bit/s where that code has Mb/s, and increases round up, so that the target is
// reached; without a rate for the first CNP that one leads to a cut at the next check, as each later one
// does; at one instant alpha is updated before the rate is cut.
#include <algorithm>

#include "dcqcn/reaction_point.h"

namespace headroom {
namespace {

constexpr int64_t kOne = 1024;  ///< of alpha and g

int64_t InFractions(double fraction) { return static_cast<int64_t>(fraction * kOne + 0.5); }

}  // namespace

ReactionPoint::Reaction ReactionPoint::VendorNote(RpState& s, Time now) const {
  if (s.first_flag.v >= 0) {
    VendorAlpha(s, now);
    s.alpha_flag = true;
    if (s.decrease_due == kNever) s.decrease_due = NextCheck(s, now, Time{});
    return Reaction::noted;
  }
  s.first_flag = s.alpha_base = now;
  s.alpha = static_cast<double>(p_.initial_alpha) / kOne;
  if (p_.rate_on_first_cnp.v == 0) {
    s.decrease_due = NextCheck(s, now, Time{});
    return Reaction::noted;
  }
  s.current = s.target = std::min(p_.rate_on_first_cnp, s.line);
  s.bytes = 0;
  s.last_cut = now;
  if (!s.AtLineRate()) s.increase_due = now + p_.increase_timer;
  return Reaction::cut;
}

/// Applies the ticks of alpha's timer up to but not at `until`. A CNP at a tick's own instant counts for it.
void ReactionPoint::VendorAlpha(RpState& s, Time until) const {
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
  // Each tick takes one at least, so that alpha is 0 after 1023 of them.
  for (; ticks > 0 && alpha > 0; --ticks) alpha = alpha * (kOne - gain) / kOne;
  s.alpha = static_cast<double>(alpha) / kOne;
}

void ReactionPoint::VendorCut(RpState& s, Time now) const {
  s.decrease_due = kNever;
  VendorAlpha(s, now + Time(1));
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

/// A step up; the stages are counted before it.
void ReactionPoint::VendorIncrease(RpState& s) const {
  if (std::min(s.time_stage, s.byte_stage) > p_.fast_recovery) {
    s.target += p_.rate_hai;
  } else if (std::max(s.time_stage, s.byte_stage) >= p_.fast_recovery) {
    s.target += p_.rate_ai;
  }
  s.target = std::min(s.target, s.line);
  s.current = Rate((s.current.v + s.target.v + 1) / 2);
}

}  // namespace headroom

// Steps that several machines share.
#pragma once

#include <algorithm>

#include "dcqcn/parameters.h"
#include "dcqcn/reaction_state.h"

namespace headroom {

/// Takes alpha / 2 of the rate, down to min_rate.
void Cut(const RpParameters& p, RpState& s, Time now, bool lower_target);
/// Applies the alpha timer's ticks that came since, up to but not at `now`: a notification at a tick's own
/// instant comes first and restarts the timer.
void DecayAlpha(const RpParameters& p, RpState& s, Time now);
/// Halves the way to a target that is `step` higher. Rounded up, so that the target is reached.
inline void Raise(RpState& s, Rate step) {
  s.target = std::min(s.target + step, s.line);
  s.current = Rate((s.current.v + s.target.v + 1) / 2);
}
/// The next decrease check after `now`: they run each window, `offset` after the first flag's multiples.
Time NextCheck(const RpParameters& p, const RpState& s, Time now, Time offset);

}  // namespace headroom

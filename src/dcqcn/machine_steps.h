// Steps that the published machine shares with others: the increase, and the time of the next decrease check.
#pragma once

#include <algorithm>

#include "dcqcn/parameters.h"
#include "dcqcn/reaction_state.h"

namespace headroom {

/// Moves halfway to a target that is `step` higher. The result is rounded up, so that the rate reaches the
/// target.
inline void Raise(RpState& s, Rate step) {
  s.target = std::min(s.target + step, s.line);
  s.current = Rate((s.current.v + s.target.v + 1) / 2);
}
/// The time of the next decrease check after `now`. Checks run each window, `offset` after multiples counted
/// from the first flag.
Time NextCheck(const RpParameters& p, const RpState& s, Time now, Time offset);

}  // namespace headroom

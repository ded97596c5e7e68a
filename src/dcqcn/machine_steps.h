// Steps that the published machine shares with others: the way up, and when a decrease is next checked.
#pragma once

#include <algorithm>

#include "dcqcn/parameters.h"
#include "dcqcn/reaction_state.h"

namespace headroom {

/// Halves the way to a target that is `step` higher. Rounded up, so that the target is reached.
inline void Raise(RpState& s, Rate step) {
  s.target = std::min(s.target + step, s.line);
  s.current = Rate((s.current.v + s.target.v + 1) / 2);
}
/// The next decrease check after `now`: they run each window, `offset` after the first flag's multiples.
Time NextCheck(const RpParameters& p, const RpState& s, Time now, Time offset);

}  // namespace headroom

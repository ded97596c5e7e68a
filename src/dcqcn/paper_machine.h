// The published reaction point, machine `paper`.
//
// Source: Zhu et al., SIGCOMM 2015, section 3.1 and figure 7. The text leaves open whether four or five
// halvings come before additive increase: ours is F = 5 halvings.
#pragma once

#include <optional>

#include "dcqcn/machine_demand.h"
#include "dcqcn/parameters.h"
#include "dcqcn/reaction_state.h"

namespace headroom {

// The cut, which the HPCC simulator's machine shares.
/// Takes alpha / 2 of the rate, down to min_rate.
void Cut(const RpParameters& p, RpState& s, Time now, bool lower_target);
/// Applies the alpha timer's elapsed ticks up to `now`, but not at `now`: a notification at the instant of a
/// tick comes first and restarts the timer.
void DecayAlpha(const RpParameters& p, RpState& s, Time now);

class PaperMachine {
 public:
  static constexpr bool kPublished = true;

  explicit PaperMachine(const RpParameters& parameters) : p_(parameters) {}
  RpReaction OnNotification(RpState& s, Time now) const;
  void OnTimer(RpState& s, Time now) const;
  void OnByteCounter(RpState& s) const;
  static std::optional<MachineDemand> UnmetBy(const RpParameters&) { return std::nullopt; }

 private:
  void Increase(RpState& s) const;

  const RpParameters& p_;
};

}  // namespace headroom

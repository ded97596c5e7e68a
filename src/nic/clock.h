// A NIC's own clock, which stamps its events, compared with its host's clock.
//
// The host's clock is the simulation's time. The NIC's clock runs faster by `drift`. At the multiples of
// `sync` the driver corrects the conversion, except for an error of up to `offset`. This error remains
// because a comparison across PCIe cannot separate the delays of its two directions. So an event at t is
// stamped
//
//   t + offset + drift × (t mod sync),   off by no more than |offset| + |drift| × sync.
//
// RDMA Estats reads T2 … T5 on this clock, and T1 and T6 on the host's (Bai et al., NSDI 2023).
#pragma once

#include <algorithm>

#include "sim/units.h"

namespace headroom {

struct ClockParameters {
  Time offset;            ///< error that a synchronisation leaves; may be negative
  int64_t drift_ppb = 0;  ///< parts in 10^9; may be negative
  Time sync = kNever;     ///< kNever: synchronised once, at 0
  bool operator==(const ClockParameters&) const = default;

  Time Read(Time t) const { return t + offset + Drifted(Time(t.v % sync.v)); }
  /// No stamp before `end` has a larger error.
  Time ErrorBound(Time end) const {
    const Time most = Drifted(std::min(sync, end));
    return std::max(offset, offset * -1) + std::max(most, most * -1);
  }

 private:
  /// The result is rounded towards 0.
  Time Drifted(Time span) const {
    const bool slow = drift_ppb < 0;
    const Uint128 product =
        static_cast<Uint128>(span.v) * static_cast<Uint128>(slow ? -drift_ppb : drift_ppb);
    const auto drifted = static_cast<int64_t>(product / 1'000'000'000u);
    return Time(slow ? -drifted : drifted);
  }
};

}  // namespace headroom

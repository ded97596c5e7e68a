#include "dcqcn/machine_steps.h"

#include <cmath>

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
  // Below this alpha no cut changes a rate by a bit/s; it also bounds the loop.
  constexpr double kNegligible = 1e-13;
  for (; ticks > 0 && s.alpha > kNegligible; --ticks) s.alpha *= 1 - p.g;
}

Time NextCheck(const RpParameters& p, const RpState& s, Time now, Time offset) {
  const Time window = std::max(p.reduce_window, Nanoseconds(1));  // none given: checked again and again
  const int64_t periods = std::max<int64_t>(0, (now - s.first_flag - offset) / window);
  return s.first_flag + window * (periods + 1) + offset;
}

}  // namespace headroom

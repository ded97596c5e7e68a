// Why packets mark more than the fluid model states: one flow by the printed rules (Zhu et al., SIGCOMM 2015,
// section 3.1), packet by packet, each marked at random with one probability. The test uses no code of
// src/dcqcn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/fluid/fluid_fixed_point.h"
#include "analysis/fluid/fluid_setups.h"

namespace headroom::fluid_fixed_point_of_one_flow_test {
namespace {

constexpr double kLine = 40e9, kPacketBits = 8'000, kByteCounterBits = 80e6;
constexpr double kTimer = 55e-6, kCnpInterval = 50e-6, kIncrease = 40e6, kHyperIncrease = 200e6,
                 kG = 1 / 256.0;
constexpr int kFastRecovery = 5;

/// A flow's rate; times in s.
struct OneFlow {
  double rate = kLine, target = kLine, alpha = 1;
  int time_stage = 0, byte_stage = 0;

  void Cut() {
    target = rate;
    rate *= 1 - alpha / 2;
    alpha = (1 - kG) * alpha + kG;
    time_stage = byte_stage = 0;
  }
  void Raise() {
    const auto [least, most] = std::minmax(time_stage, byte_stage);
    if (least > kFastRecovery) {
      target += (least - kFastRecovery) * kHyperIncrease;
    } else if (most > kFastRecovery) {
      target += kIncrease;
    }
    target = std::min(target, kLine);
    rate = (rate + target) / 2;
  }
};

/// The mean rate during `seconds` at this probability of a mark.
double MeanRate(double probability, double seconds) {
  std::mt19937_64 random(1);
  const auto packets_to_mark = [&] {
    const double u = std::generate_canonical<double, 53>(random);
    return std::floor(std::log1p(-u) / std::log1p(-probability)) + 1;
  };
  constexpr double kWarmup = 0.2;
  OneFlow flow;
  double now = 0, sent = 0, next_cnp = 0, alpha_at = kTimer, raise_at = kTimer;
  double bits_to_mark = packets_to_mark() * kPacketBits, bits_to_stage = kByteCounterBits;
  while (now < kWarmup + seconds) {
    const double mark_at = now + bits_to_mark / flow.rate, stage_at = now + bits_to_stage / flow.rate;
    const double next = std::min({mark_at, stage_at, alpha_at, raise_at});
    const double bits = (next - now) * flow.rate;
    if (now > kWarmup) sent += bits;
    bits_to_mark -= bits;
    bits_to_stage -= bits;
    now = next;
    if (now == mark_at) {
      bits_to_mark = packets_to_mark() * kPacketBits;
      if (now < next_cnp) continue;
      next_cnp = now + kCnpInterval;
      flow.Cut();
      alpha_at = raise_at = now + kTimer;
      bits_to_stage = kByteCounterBits;
    } else if (now == stage_at) {
      bits_to_stage = kByteCounterBits;
      ++flow.byte_stage;
      flow.Raise();
    } else if (now == alpha_at) {
      alpha_at = now + kTimer;
      flow.alpha *= 1 - kG;
    } else {
      raise_at = now + kTimer;
      ++flow.time_stage;
      flow.Raise();
    }
  }
  return sent / seconds;
}

// At the model's p* the flow is faster than its share; it needs 1.27 times the marks, for any number of
// flows.
TEST(OneFlow, NeedsMoreMarksThanTheModelOfAveragesForTheSameRate) {
  for (const int flows : {2, 4, 8, 16}) {
    const double p = SolveFixedPoint(AuthorsSetup(flows, 0)).p, share = kLine / flows;
    EXPECT_GT(MeanRate(p, 4), 1.15 * share) << flows;
    EXPECT_NEAR(MeanRate(1.27 * p, 4), share, 0.03 * share) << flows;
  }
}

}  // namespace
}  // namespace headroom::fluid_fixed_point_of_one_flow_test

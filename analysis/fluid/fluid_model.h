// The fluid model of DCQCN: averages over packets of many flows that share one queue.
//
// Source: Zhu, Ghobadi, Misra, Padhye, ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT
// 2016, section 3.1. Rates are in packets/s, queues and the byte counter in packets, times in seconds; a
// packet is a full data frame. With the rate R, and λ = −ln(1 − p) for the probability p of a mark, a span of
// n packets stays unmarked with probability e^(−nλ). The paper's a to e, in a form without cancellation for
// small p:
//
//   a = 1 − e^(−τRλ)
//   b = ψ(λ) φ(Bλ) / B        c = b e^(−FBλ)        φ(x) = x / (e^x − 1)
//   d = ψ(λ) φ(TRλ) / (TR)    e = d e^(−FTRλ)       ψ(λ) = p / λ
//
// They occur only in these sums, as events per second of one flow: cuts a/τ, recoveries R (b + d), increases
// R (c + e). The model omits hyper increase.
#pragma once

#include <vector>

namespace headroom {

/// Flows with one loop delay: from a mark to the packets whose rate it has changed.
struct FluidDelay {
  double flows = 1;
  double delay = 0;  ///< τ*
};

struct FluidParameters {
  double flows = 1;           ///< N, number of equal flows
  double capacity = 0;        ///< C, capacity that they share
  double line = 0;            ///< maximum rate: the senders' line rate
  double least_rate = 0;      ///< minimum rate
  double tau = 0;             ///< τ, interval with at most one cut; > 0
  double alpha_timer = 0;     ///< τ'
  double increase_timer = 0;  ///< T
  double byte_counter = 0;    ///< B; 0: none
  double fast_recovery = 5;   ///< F
  double rate_ai = 0;         ///< R_AI
  double g = 1.0 / 256;
  double kmin = 0, kmax = 0, pmax = 0;
  bool line_goes_on = false;  ///< RED's line is extended above Kmax up to p = 1, instead of its step to 1
  std::vector<FluidDelay> delays;  ///< delays of all flows

  /// Increase of the marking probability per packet in the queue; 0 if RED is a step.
  double Slope() const { return kmax > kmin ? pmax / (kmax - kmin) : 0; }
};

/// Events per second of one flow, and the limit of alpha.
struct FluidEvents {
  double cuts = 0, recoveries = 0, increases = 0, alpha = 0;
};

/// The events with their partial derivatives.
struct FluidEventsAt {
  FluidEvents value, by_lambda, by_rate;
};

/// REQUIRES: 0 ≤ lambda < 1000, rate > 0.
FluidEventsAt EventsAt(const FluidParameters& p, double lambda, double rate);

/// λ at a queue of this length: finite also if every packet is marked.
double LambdaAt(const FluidParameters& p, double queue);

}  // namespace headroom

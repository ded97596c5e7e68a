// The fluid model of DCQCN: averages over packets of many flows that share one queue.
//
// Source: Zhu, Ghobadi, Misra, Padhye, ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY, CoNEXT
// 2016, section 3.1. Rates are in packets/s, queues and the byte counter in packets, times in seconds; a
// packet is a full data frame. With R the rate and λ = −ln(1 − p) for the probability p of a mark, a span of
// n packets stays unmarked with probability e^(−nλ). The paper's a to e, with small p free of cancellation:
//
//   a = 1 − e^(−τRλ)
//   b = ψ(λ) φ(Bλ) / B        c = b e^(−FBλ)        φ(x) = x / (e^x − 1)
//   d = ψ(λ) φ(TRλ) / (TR)    e = d e^(−FTRλ)       ψ(λ) = p / λ
//
// They come in these sums only, as events a second of one flow: cuts a/τ, recoveries R (b + d), increases
// R (c + e). Hyper increase is not in the model.
#pragma once

#include <vector>

namespace headroom {

/// Flows of one loop delay: from a mark to the packets whose rate it has changed.
struct FluidDelay {
  double flows = 1;
  double delay = 0;  ///< τ*
};

struct FluidParameters {
  double flows = 1;           ///< N, equal ones
  double capacity = 0;        ///< C, what they share
  double line = 0;            ///< no rate is above: the senders' line rate
  double least_rate = 0;      ///< and none below
  double tau = 0;             ///< τ, at most one cut in this time; > 0
  double alpha_timer = 0;     ///< τ'
  double increase_timer = 0;  ///< T
  double byte_counter = 0;    ///< B; 0: none
  double fast_recovery = 5;   ///< F
  double rate_ai = 0;         ///< R_AI
  double g = 1.0 / 256;
  double kmin = 0, kmax = 0, pmax = 0;
  bool line_goes_on = false;  ///< RED's line is drawn on above Kmax up to p = 1, instead of its step to 1
  std::vector<FluidDelay> delays;  ///< of all flows

  /// Probability of a mark for each packet in the queue; 0 where RED is a step.
  double Slope() const { return kmax > kmin ? pmax / (kmax - kmin) : 0; }
};

/// Events a second of one flow, and what alpha tends to.
struct FluidEvents {
  double cuts = 0, recoveries = 0, increases = 0, alpha = 0;
};

/// With their partial derivatives.
struct FluidEventsAt {
  FluidEvents value, by_lambda, by_rate;
};

/// REQUIRES: 0 ≤ lambda < 1000, rate > 0.
FluidEventsAt EventsAt(const FluidParameters& p, double lambda, double rate);

/// λ at a queue of this length: finite also where every packet is marked.
double LambdaAt(const FluidParameters& p, double queue);

}  // namespace headroom

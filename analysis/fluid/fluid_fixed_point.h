// The equilibrium of the fluid model: rates equal, queue and marking constant.
//
// With R = C/N and A the limit of alpha, setting the derivatives to zero leaves
//
//   A cuts² / (recoveries increases) = R_AI / R
//
// whose left side rises with p from 0 without bound: there is exactly one p*. This is the paper's equation
// for p*, written in events per second (fluid_model.h).
#pragma once

#include "analysis/fluid/fluid_model.h"

namespace headroom {

struct FluidFixedPoint {
  double p = 0;         ///< p*
  double lambda = 0;    ///< −ln(1 − p*)
  double p_approx = 0;  ///< the paper's cube root, valid for p* R τ and p* B far below 1
  double queue = 0;     ///< q*, in packets
  double rate = 0;      ///< C/N
  double target = 0;    ///< RT
  double alpha = 0;
  bool pinned = false;  ///< p* > Pmax: RED's line ends before, and the queue stays near Kmax
  double hyper = 0;     ///< the share of additive steps that would be hyper increase, which the model lacks
};

/// REQUIRES: flows, capacity, tau, alpha_timer, increase_timer, rate_ai > 0, 0 < g ≤ 1.
FluidFixedPoint SolveFixedPoint(const FluidParameters& p);

/// ∛(R_AI N² / (τ' C²) · (1/B + N/(T C))²)
double ApproximateMarking(const FluidParameters& p);

}  // namespace headroom

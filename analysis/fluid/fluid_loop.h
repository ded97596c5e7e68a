// How the fluid model answers to small changes about its fixed point: loop transfer function, phase margin,
// unstable modes.
//
// The state of one flow and the queue is x = (alpha, RT, RC, q). With A0 and A1 the Jacobians of the
// equations in x now and in x a loop delay ago, x' = A0 x + A1 x(t − τ*). Both are analytic. Cut open at the
// marking, the loop has the transfer function L(jω). It goes from a change of the queue, through marks, cuts
// and recovery of all flows, each after its own delay, to the resulting queue. It crosses 1 where a wave
// keeps its height; the phase that is left to −180° there is the margin. Stability of the closed loop is not
// read from the margin but counted. By Mikhailov's criterion a characteristic function of order n turns by
// (n/2 − z) π from ω = 0 to ∞, where z modes grow. Source: Kolmanovskii and Nosov, Stability of Functional
// Differential Equations, 1986.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "analysis/fluid/fluid_fixed_point.h"

namespace headroom {

/// Row by row.
using FluidMatrix = std::array<std::array<double, 4>, 4>;

/// Jacobians of one flow's equations, and of the queue's equation in the rate of one flow.
struct FluidJacobians {
  FluidMatrix now{}, delayed{};
};

/// `events` at the fixed point, `lambda_by_queue` there.
FluidJacobians JacobiansOf(const FluidParameters& p, const FluidFixedPoint& at, const FluidEventsAt& events,
                           double lambda_by_queue);

class FluidLoop {
 public:
  struct Crossover {
    double omega = 0;   ///< rad/s
    double margin = 0;  ///< degrees; below −180 where the phase has turned more than once
  };

  /// About the fixed point of the model; the RED line counts as drawn on where it is pinned. REQUIRES:
  /// p.Slope() > 0.
  FluidLoop(const FluidParameters& p, const FluidFixedPoint& at);
  FluidLoop(const FluidJacobians& jacobians, std::vector<FluidDelay> delays);

  std::complex<double> Transfer(double omega) const;
  /// The one with the least margin; none where the loop's gain never reaches 1.
  std::optional<Crossover> WorstCrossover() const;
  /// Growing modes of the queue and all flows, of one delay all alike; and of flows of one delay against each
  /// other while the queue rests. None of either: small disturbances die out.
  int CommonUnstableModes() const;
  int DifferenceUnstableModes() const;

 private:
  using Factor = std::function<std::complex<double>(double)>;

  /// det(jωI − A0 − A1 e^(−jωτ)) of alpha, RT and RC of a flow with this delay.
  std::complex<double> FlowDeterminant(double omega, double delay) const;
  /// Of a product of factors, each real at rest, of this order together.
  static int UnstableModes(const std::vector<Factor>& factors, int order);

  FluidJacobians jacobians_;
  std::vector<FluidDelay> delays_;
};

}  // namespace headroom

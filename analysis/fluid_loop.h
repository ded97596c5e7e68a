// How the fluid model answers to small changes about its fixed point: loop transfer function, phase margin,
// unstable modes.
//
// The state of equal flows is x = (alpha, RT, RC, q). With A0 and A1 the Jacobians of the equations in x now
// and in x a loop delay ago, x' = A0 x + A1 x(t − τ*). Both are analytic. Cut open at the marking, the loop
// has the transfer function L(jω): from a change of the queue, through marks, cuts and recovery, to the queue
// that comes of it. It crosses 1 where a wave keeps its height; the phase that is left to −180° there is the
// margin. Whether the closed loop is stable is not read from the margin but counted: by Mikhailov's criterion
// det(jωI − A0 − A1 e^(−jωτ*)) of order n turns by (n/2 − z) π from ω = 0 to ∞, where z modes grow
// (Kolmanovskii and Nosov, Stability of Functional Differential Equations, 1986).
#pragma once

#include <array>
#include <complex>
#include <optional>

#include "analysis/fluid_fixed_point.h"

namespace headroom {

/// Row by row.
using FluidMatrix = std::array<std::array<double, 4>, 4>;

struct FluidJacobians {
  FluidMatrix now{}, delayed{};
};

/// `events` at the fixed point, `lambda_by_queue` there. The RED line counts as drawn on where it is pinned.
FluidJacobians JacobiansOf(const FluidParameters& p, const FluidFixedPoint& at, const FluidEventsAt& events,
                           double lambda_by_queue);

class FluidLoop {
 public:
  struct Crossover {
    double omega = 0;   ///< rad/s
    double margin = 0;  ///< degrees; below −180 where the phase has turned more than once
  };

  /// About the fixed point of the model. REQUIRES: p.Slope() > 0.
  FluidLoop(const FluidParameters& p, const FluidFixedPoint& at);
  FluidLoop(const FluidJacobians& jacobians, double delay);

  std::complex<double> Transfer(double omega) const;
  /// The one with the least margin; none where the loop's gain never reaches 1.
  std::optional<Crossover> WorstCrossover() const;
  /// Growing modes in which all flows move alike, and in which they move against each other while the queue
  /// rests. None of either: small disturbances die out.
  int CommonUnstableModes() const;
  int DifferenceUnstableModes() const;

 private:
  template <int kOrder>
  int UnstableModes() const;

  FluidJacobians jacobians_;
  double delay_;
};

}  // namespace headroom

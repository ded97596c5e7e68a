// The response of the fluid model to small changes around its fixed point: loop transfer function, phase
// margin, unstable modes.
//
// The state of one flow and the queue is x = (alpha, RT, RC, q). With A0 and A1 the Jacobians of the
// equations in x now and in x a loop delay ago, x' = A0 x + A1 x(t − τ*). Both are analytic. Cut open at the
// marking, the loop has the transfer function L(jω). It leads from a change of the queue, through marks, cuts
// and recovery of all flows, each after its own delay, to the resulting queue. It crosses 1 where a wave
// keeps its amplitude; the remaining phase to −180° there is the margin. The stability of the closed loop is
// not derived from the margin, but counted. By Mikhailov's criterion a characteristic function of order n
// turns by (n/2 − z) π from ω = 0 to ∞, where z modes grow. Source: Kolmanovskii and Nosov, Stability of
// Functional Differential Equations, 1986.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "analysis/fluid/fluid_fixed_point.h"

namespace headroom {

/// Matrix in row order.
using FluidMatrix = std::array<std::array<double, 4>, 4>;

/// Jacobians of one flow's equations, and of the queue's equation with respect to the rate of one flow.
struct FluidJacobians {
  FluidMatrix now{}, delayed{};
};

/// `events` and `lambda_by_queue` are taken at the fixed point.
FluidJacobians JacobiansOf(const FluidParameters& p, const FluidFixedPoint& at, const FluidEventsAt& events,
                           double lambda_by_queue);

class FluidLoop {
 public:
  struct Crossover {
    double omega = 0;   ///< in rad/s
    double margin = 0;  ///< in degrees; below −180 if the phase has turned more than once
  };

  /// Around the fixed point of the model; if the queue is pinned, the RED line is extended. REQUIRES:
  /// p.Slope() > 0.
  FluidLoop(const FluidParameters& p, const FluidFixedPoint& at);
  FluidLoop(const FluidJacobians& jacobians, std::vector<FluidDelay> delays);

  std::complex<double> Transfer(double omega) const;
  /// The crossover with the smallest margin; none if the loop's gain never reaches 1.
  std::optional<Crossover> WorstCrossover() const;
  /// Number of growing modes: of the queue and all flows, with flows of equal delay moving alike; and of
  /// flows of equal delay against each other while the queue rests. If both are 0, small disturbances decay.
  int CommonUnstableModes() const;
  int DifferenceUnstableModes() const;

 private:
  using Factor = std::function<std::complex<double>(double)>;

  /// det(jωI − A0 − A1 e^(−jωτ)) for alpha, RT and RC of a flow with this delay.
  std::complex<double> FlowDeterminant(double omega, double delay) const;
  /// For a product of factors, each real at rest, with this total order.
  static int UnstableModes(const std::vector<Factor>& factors, int order);

  FluidJacobians jacobians_;
  std::vector<FluidDelay> delays_;
};

}  // namespace headroom

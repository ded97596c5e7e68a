// The equations of the fluid model in time.
//
//   alpha' = g/τ' (A − alpha)                                    all events by marks and rate of τ* ago
//   RT' = −(RT − RC) cuts + R_AI increases
//   RC' = −RC alpha cuts / 2 + (RT − RC) recoveries / 2
//   q'  = Σ RC − C
//
// with q ≥ 0 and rates between the least and the line rate. Fixed steps of the classical Runge-Kutta method,
// none longer than the shortest delay. The past between steps is a cubic through values and slopes (Bellen
// and Zennaro, Numerical Methods for Delay Differential Equations, 2003, section 6.1).
#pragma once

#include <vector>

#include "analysis/fluid/fluid_model.h"

namespace headroom {

/// Flows with the same start, which stay alike.
struct FluidGroup {
  double flows = 1;
  double delay = 0;                        ///< τ*
  double rate = 0, target = 0, alpha = 1;  ///< values at time 0
};

struct FluidSample {
  double time = 0;            ///< in s
  double queue = 0;           ///< in packets
  double p = 0;               ///< present probability of a mark
  std::vector<double> rates;  ///< packets/s, indexed by group
};

struct FluidStart {
  std::vector<FluidGroup> groups;
  double queue = 0;
};

/// Samples from 0 to `duration`, about `every` apart. Before time 0 the values equal those of the start.
/// `p.flows` and `p.delays` are ignored: the groups have their own. REQUIRES: as for SolveFixedPoint, and
/// duration, every > 0.
std::vector<FluidSample> RunFluid(const FluidParameters& p, const FluidStart& start, double duration,
                                  double every);

}  // namespace headroom

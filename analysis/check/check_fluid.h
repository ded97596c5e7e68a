// DCQCN at the queues where flows meet, by the fluid model: where it settles, and whether it does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/bottlenecks.h"
#include "analysis/check/check_fluid_bottleneck.h"
#include "analysis/fluid/fluid_remedy.h"
#include "analysis/fluid/fluid_stability.h"
#include "sim/finding.h"

namespace headroom {

/// Ports that differ only in their loop delays share one; the longest represents all.
struct FluidCheck {
  std::string at;  ///< one of them: "s0:p16"
  size_t ports = 0;
  std::string traffic_class;
  std::vector<std::string> workloads;  ///< whose flows meet there
  Rate port_rate;
  size_t flows = 0;      ///< at each
  double share_bps = 0;  ///< theirs together, on the wire
  double lasts = 0;      ///< s; until they would have sent what they have to
  FluidBottleneck model;
  FluidStability stability;           ///< where the model applies
  std::vector<FluidRemedy> remedies;  ///< where the margin is low and the flows last

  bool Applies() const { return model.refusal.empty(); }
  /// q*, in bytes of the buffer.
  double QueueBytes() const { return stability.at.queue * model.queued_bytes; }
  /// Period of the wave at the crossover, s; 0 without a crossover.
  double Period() const;
  /// Long enough for a wave to matter: four of them.
  bool Lasting() const { return Period() > 0 && lasts >= 4 * Period(); }
};

struct FluidChecks {
  SharedFlows shared;
  std::vector<FluidCheck> bottlenecks;  ///< those that last first, the least margin first of all
};

/// No findings where flows end before a wave would matter.
FluidChecks CheckFluid(const Fabric& fabric, Findings& findings);

/// The least margin of the bottlenecks with lasting flows; none without such flows or without a margin.
std::optional<double> LeastMargin(const FluidChecks& checks);

}  // namespace headroom

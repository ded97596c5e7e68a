// DCQCN at the queues where flows meet, by the fluid model: where it settles, and whether it settles.
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

/// Ports that differ only in their loop delays share one check; the longest delay represents all.
struct FluidCheck {
  std::string at;  ///< name of one of the ports: "s0:p16"
  size_t ports = 0;
  std::string traffic_class;
  std::vector<std::string> workloads;  ///< workloads whose flows meet there
  Rate port_rate;
  size_t flows = 0;      ///< number of flows at each port
  double share_bps = 0;  ///< their total rate on the wire
  double lasts = 0;      ///< in s; time until they would have sent all their data
  FluidBottleneck model;
  FluidStability stability;           ///< set if the model applies
  std::vector<FluidRemedy> remedies;  ///< set if the margin is low and the flows last

  bool Applies() const { return model.refusal.empty(); }
  /// q*, in bytes in the buffer.
  double QueueBytes() const { return stability.at.queue * model.queued_bytes; }
  /// Period of the wave at the crossover, in s; 0 without a crossover.
  double Period() const;
  /// Whether the flows last long enough for a wave to matter: four periods.
  bool Lasting() const { return Period() > 0 && lasts >= 4 * Period(); }
};

struct FluidChecks {
  SharedFlows shared;
  std::vector<FluidCheck> bottlenecks;  ///< lasting flows come first, then the smallest margins
};

/// There is no finding if flows end before a wave would matter.
FluidChecks CheckFluid(const Fabric& fabric, Findings& findings);

/// The smallest margin of the bottlenecks with lasting flows; none without such flows or without a margin.
std::optional<double> LeastMargin(const FluidChecks& checks);

}  // namespace headroom

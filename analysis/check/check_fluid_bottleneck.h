// The fluid model of one bottleneck of a scenario: its parameters, or why it does not apply.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/bounds/bottlenecks.h"
#include "analysis/check/buffers/check_thresholds.h"
#include "analysis/fluid/fluid_model.h"

namespace headroom {

/// DCQCN settings that the model uses: senders with equal ones are equal flows.
struct FluidSettings {
  std::string refusal;  ///< why the model does not apply; empty: it does
  Time cut_interval;    ///< τ
  Time nic_interval;
  bool cnp_for_each_mark = false;
  Time alpha_timer, increase_timer;
  Bytes byte_counter;
  int fast_recovery = 0;
  Rate rate_ai, min_rate;
  double g = 0;
  bool operator==(const FluidSettings&) const = default;
};

/// How one flow's two NICs set it up. Model: a receiver sends a CNP at most once in each N, and a sender cuts
/// at most once in each W. Together they cut at most once in the least multiple of N that is W or more.
FluidSettings FluidSettingsOf(const NicParameters& sender, const NicParameters& receiver);

/// A bottleneck in the model's terms. Packets are full data frames: on the wire where they are rates, in
/// cells of the buffer where they queue.
struct FluidBottleneck {
  std::string refusal;
  FluidSettings settings;       ///< of all its flows, if they agree
  std::optional<EcnCurve> ecn;  ///< none: its queue does not mark
  /// Flows by loop delay, the shortest first: from a mark to the first packet of the new rate.
  std::map<Time, size_t> delays;
  FluidParameters parameters;  ///< zero where refused
  double wire_bits = 0;        ///< of a packet
  double queued_bytes = 0;     ///< of a packet
};

FluidBottleneck FluidBottleneckOf(const Fabric& fabric, const SharedFlows& shared, const Bottleneck& at);

}  // namespace headroom

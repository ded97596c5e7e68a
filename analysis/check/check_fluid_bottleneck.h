// The fluid model of one bottleneck of a scenario: its parameters, or the reason why it does not apply.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analysis/bounds/bottlenecks.h"
#include "analysis/check/buffers/check_thresholds.h"
#include "analysis/fluid/fluid_model.h"

namespace headroom {

/// DCQCN settings that the model uses: senders with equal settings are equal flows.
struct FluidSettings {
  std::string refusal;  ///< the reason why the model does not apply; empty if it applies
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

/// The settings of one flow's two NICs. Model: a receiver sends a CNP at most once in each N, and a sender
/// cuts at most once in each W. Together they cut at most once per the smallest multiple of N that is at
/// least W.
FluidSettings FluidSettingsOf(const NicParameters& sender, const NicParameters& receiver);

/// A bottleneck in the model's terms. Packets are full data frames: their size on the wire counts for rates,
/// their cells in the buffer for queues.
struct FluidBottleneck {
  std::string refusal;
  FluidSettings settings;       ///< settings of all its flows, if they agree
  std::optional<EcnCurve> ecn;  ///< none: its queue does not mark
  /// Flows by loop delay, the shortest first: from a mark to the first packet of the new rate.
  std::map<Time, size_t> delays;
  FluidParameters parameters;  ///< zero if refused
  double wire_bits = 0;        ///< bits of a packet on the wire
  double queued_bytes = 0;     ///< bytes of a packet in the buffer
};

FluidBottleneck FluidBottleneckOf(const Fabric& fabric, const SharedFlows& shared, const Bottleneck& at);

}  // namespace headroom

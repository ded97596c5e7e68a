// Compares where PFC pauses with where ECN marks: thresholds of groups against those of queues.
//
// A dynamic threshold is α × free, and free shrinks with the bytes of all groups. With k groups equally full
// and nothing else in the pool, T = α (S − k T). So a group goes XOFF at its reserved bytes plus T = α S / (1
// + α k), where S is the pool minus all reserves. Source: Choudhury and Hahne, Dynamic queue length
// thresholds for shared-memory packet switches, IEEE/ACM Transactions on Networking 1998.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"
#include "sim/finding.h"

namespace headroom {

/// T, in bytes, with `groups` for k; a static threshold is the same for all k for which the pool has room.
double ThresholdOf(const SharedBuffer::Allowance& allowance, double groups);

/// Marking at a port: EcnParameters scaled to its rate.
struct EcnCurve {
  Bytes kmin, kmax;
  double pmax = 0;
  bool operator==(const EcnCurve&) const = default;
};
EcnCurve CurveAt(const EcnParameters& ecn, Rate port);
/// The probability that a packet is marked if it leaves this many bytes behind.
double MarkingProbability(const EcnCurve& curve, Bytes queue);

/// A lossless class at the ports with one rate in a switch class.
struct ThresholdCheck {
  static constexpr std::array<int, 4> kGroups = {1, 4, 16, 64};

  std::string at;
  Rate rate;
  std::string traffic_class;
  uint32_t groups = 0;  ///< groups of this class that share a pool in one switch, at ports of all rates
  Bytes shared;         ///< S, in each slice
  /// Bytes of a group when it goes XOFF with this many groups congested; none if the switch has fewer.
  std::array<std::optional<Bytes>, 4> xoff_at;
  std::optional<EcnCurve> ecn;
  /// The smallest number of congested groups, each with its own queue, for which PFC pauses before marking
  /// starts; none if there is no such number.
  std::optional<uint32_t> pfc_before_ecn;
};

std::vector<ThresholdCheck> CheckThresholds(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                                            Findings& findings);

}  // namespace headroom

// Published formulas for headroom, beside our own, HeadroomAfterXoff.
//
// They differ in their terms: the minimum that physics requires; 802.1Q, with the slowest interface and
// response that it permits; and a paper's use of the result.
#pragma once

#include <optional>

#include "sim/units.h"

namespace headroom {

/// 2 · delay · rate, the pause and one frame: nothing delays the pause, no response time, no cells.
Bytes LeastHeadroom(Rate rate, Time one_way, Bytes frame);

/// The delay value of IEEE 802.1Qbb (802.1Q, annex O), term by term, in bytes.
struct DelayValue {
  Bytes cable;                     ///< in both directions
  Bytes in_way;                    ///< the largest frame of the reverse direction
  Bytes pause;                     ///< 672 bit times
  std::optional<Bytes> interface;  ///< MAC, PCS, PMA and PMD of both ends; none: not quoted for this rate
  Bytes response;                  ///< response time of the peer
  Bytes begun;                     ///< the largest lossless frame, which the peer completes
  /// Without an interface delay the sum is a lower bound.
  Bytes Total() const { return cable + in_way + pause + interface.value_or(Bytes()) + response + begun; }
};

/// The largest delays that the standard permits at a rate; none for other rates. In bit times, interface:
/// 8192, 6144, 24576, 122880 at 10, 25, 40, 100 Gb/s. Response: 30720, 40960, 60416, 201728, and 463360 at
/// 400 Gb/s. Frame sizes include FCS; each frame counts 20 more bytes of preamble and gap.
std::optional<DelayValue> IeeeDelayValue(Rate rate, Time one_way, Bytes reverse_frame, Bytes lossless_frame);

/// Thresholds of a switch with memory that is shared except for headroom: Zhu et al., SIGCOMM 2015,
/// section 4.
struct PaperSwitch {
  Bytes buffer;     ///< B
  int ports = 0;    ///< n
  int classes = 8;  ///< PFC classes
  Bytes headroom;   ///< t_flight, per port and class
  /// Shared by all: B − classes · n · t_flight.
  Bytes Shared() const { return buffer - headroom * classes * ports; }
  /// t_PFC with a static threshold: the shared bytes, divided evenly.
  double StaticPause() const { return static_cast<double>(Shared().v) / (classes * ports); }
  /// If t_ECN is below this, ECN marks before PFC pauses, whichever group is congested: with a static
  /// threshold, t_PFC / n;
  double EcnBelowStatic() const { return StaticPause() / ports; }
  /// with a dynamic threshold of beta times the free memory: an even share for each class.
  double EcnBelowDynamic(double beta) const { return beta / (beta + 1) * StaticPause(); }
};

}  // namespace headroom

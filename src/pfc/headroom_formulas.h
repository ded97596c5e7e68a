// Formulas of others for headroom, beside HeadroomAfterXoff, which is ours.
//
// They differ in what they leave out: the least that physics needs; 802.1Q, with the slowest interface and
// response that it permits; and a paper's use of the result.
#pragma once

#include <optional>

#include "sim/units.h"

namespace headroom {

/// 2 · delay · rate, the pause and one frame: nothing in the way of the pause, no response time, no cells.
Bytes LeastHeadroom(Rate rate, Time one_way, Bytes frame);

/// The delay value of IEEE 802.1Qbb (802.1Q, annex O), term by term, in bytes.
struct DelayValue {
  Bytes cable;                     ///< both ways
  Bytes in_way;                    ///< the largest frame of the reverse direction
  Bytes pause;                     ///< 672 bit times
  std::optional<Bytes> interface;  ///< MAC, PCS, PMA and PMD of both ends; none: not quoted for this rate
  Bytes response;                  ///< of the peer
  Bytes begun;                     ///< the largest lossless frame, which the peer finishes
  /// Without an interface delay the sum is a lower bound.
  Bytes Total() const { return cable + in_way + pause + interface.value_or(Bytes()) + response + begun; }
};

/// With the largest delays that the standard allows at a rate, none for other rates. In bit times, interface:
/// 8192, 6144, 24576, 122880 at 10, 25, 40, 100 Gb/s. Response: 30720, 40960, 60416, 201728, and 463360 at
/// 400 Gb/s. Frames are given with FCS and count 20 bytes of preamble and gap.
std::optional<DelayValue> IeeeDelayValue(Rate rate, Time one_way, Bytes reverse_frame, Bytes lossless_frame);

/// Thresholds of a switch with shared memory beside headroom: Zhu et al., SIGCOMM 2015, section 4.
struct PaperSwitch {
  Bytes buffer;     ///< B
  int ports = 0;    ///< n
  int classes = 8;  ///< of PFC
  Bytes headroom;   ///< t_flight, of each port and class
  /// Shared by all: B − classes · n · t_flight.
  Bytes Shared() const { return buffer - headroom * classes * ports; }
  /// t_PFC with a static threshold: the shared bytes divided evenly.
  double StaticPause() const { return static_cast<double>(Shared().v) / (classes * ports); }
  /// Below this t_ECN marks before PFC fires, whichever group is congested: with a static threshold t_PFC /
  /// n;
  double EcnBelowStatic() const { return StaticPause() / ports; }
  /// with a dynamic threshold of beta times the free memory, an even share for each of the classes.
  double EcnBelowDynamic(double beta) const { return beta / (beta + 1) * StaticPause(); }
};

}  // namespace headroom

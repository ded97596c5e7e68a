// A chassis of line cards: the structure of deep-buffered switches for T2 and region hub. Frames wait on
// their ingress line card, in one virtual output queue for each queue of each egress port, until the egress
// port grants them credit.
//
// Source of the structure: Bai et al., NSDI 2023, section 2 and footnote 3 (off-chip memory somewhat slower
// than the chip); Broadcom's StrataDNX family (Jericho2, Jericho2c+, Qumran3D). Sizes of on-chip memory are
// public (16 to 32 MB for Jericho2 and 2c+); the other defaults are ours: no vendor publishes them.
#pragma once

#include "sim/units.h"

namespace headroom {

struct ChassisParameters {
  int line_cards = 1;                ///< the ports are divided among them in contiguous blocks
  Bytes on_chip = Kilobytes(32000);  ///< packet memory on a line card's chip
  Bytes spill = Kilobytes(1000);     ///< a virtual output queue with this many bytes on the chip continues in
                                     ///< the deep memory, until that is empty
  double deep_bandwidth = 0.95;  ///< to a line card's deep memory, and the same from it: a share of the sum
                                 ///< of its ports' rates
  Bytes credit{4096};            ///< size of one grant
  double credit_speedup = 0.05;  ///< credits are granted faster than the egress port sends, by this share
  /// Maximum bytes in a queue of an egress port, including those in flight to it; 0: the bytes that the port
  /// sends while a credit and its frame cross the fabric, plus four credits.
  Bytes egress_queue;
  Time fabric_latency = Microseconds(1);  ///< in one direction: requests, credits and frames
  bool operator==(const ChassisParameters&) const = default;
};

}  // namespace headroom
